/** Values of the placeholders during a replay. */
import { CREDENTIAL, ME } from '../clients.ts';
import type { PlaceholderValues } from './wireFixture.ts';

export const TOKEN_ID = 'HnMJylxuowJ1FKN74BbGogLvXCS4w+fsd3MZdI35+8A=';
export const TASK_ID = 'qhxGdzytQS-pQek8CwBCZg:54654';

export const REPLAYED: PlaceholderValues = { ACCESS_TOKEN: CREDENTIAL, ME, TOKEN_ID, TASK_ID };
