/**
 * What truncations need only now and then: loaded when the first of it is, since most starts of VS Code need none. Together: what
 * several such files shared would be more files to read at the start, and to pack.
 */
import { copyRecipe } from '../recipe/copyRecipe.ts';
import { OverviewOpener } from '../overview/host/opener.ts';
import { runFactory } from './runFactory.ts';
import { WizardOpener } from '../wizard/host/opener.ts';

export const onDemand = { copyRecipe, OverviewOpener, runFactory, WizardOpener };
