/**
 * The questions that add, edit and sign in to connections, loaded when the first of them is asked: most starts of VS Code need none.
 * Together: what several such files shared would be more files to read, and to pack.
 */
import { runConnectionFlow } from './connectionFlow.ts';
import { editConnection } from './editConnection.ts';
import { setRole } from './setRole.ts';
import { signInToConnection } from './signInFlow.ts';

export const flows = { runConnectionFlow, editConnection, setRole, signInToConnection };
