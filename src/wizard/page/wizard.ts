/**
 * The entry of the wizard's page. Fields, buttons and folds are the browser's own elements in VS Code's colours: they bring the keyboard,
 * the roles, and descriptions that reach the field, which components behind a shadow root do not. VS Code's moving progress line has no
 * such element, so that one is imported.
 */
/* oxlint-disable import/no-unassigned-import -- one defines an element, the other is a style sheet */
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import './wizard.css';
/* oxlint-enable import/no-unassigned-import */
import { WizardLink } from './wizardLink.ts';
import { SuggestField } from '../../webview/page/suggestField.ts';
import { FitField } from './fitField.ts';
import { TruncationWizard } from './truncationWizard.ts';

customElements.define('suggest-field', SuggestField);
customElements.define('fit-field', FitField);
customElements.define('truncation-wizard', TruncationWizard);

const wizard = new TruncationWizard(new WizardLink(acquireVsCodeApi()));
wizard.className = 'page';
document.body.append(wizard);
