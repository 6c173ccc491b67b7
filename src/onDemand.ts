/**
 * What is loaded when a person first asks for it: flows of questions and the wizard's host side. One file and not one for each,
 * because every further seam would cut what they share with the rest into another file to be read at start.
 */
export { runConnectionFlow } from './connections/connectionFlow.ts';
export { editConnection } from './connections/editConnection.ts';
export { signInToConnection } from './connections/signInFlow.ts';
export { testConnection } from './connections/testConnection.ts';
export { askTarget } from './indices/askTarget.ts';
export { asCsv, asJson } from './indices/exportSizes.ts';
export { createToken } from './tokens/createToken.ts';
export { askQuery } from './tokens/filterTokens.ts';
export { pickTokens } from './tokens/pickTokens.ts';
export { revokeTokens } from './tokens/revokeTokens.ts';
export { truncateQuickly } from './truncation/quickFlow.ts';
export { confirmTruncation } from './truncation/confirmTruncation.ts';
export { newRun } from './truncation/newRun.ts';
export { WizardPanel } from './truncation/wizard/host/panel.ts';
