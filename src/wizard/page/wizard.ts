/**
 * Entry point of the wizard's page. Uses native elements in VS Code's colours, because their keyboard, roles and
 * descriptions work, unlike those of components with a shadow root. Only the moving progress bar has no native
 * element.
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
