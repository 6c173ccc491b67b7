/** State that an earlier version stored, put into this VS Code. */
import assert from 'node:assert/strict';
import { putInPlace } from '../../../stored/state.ts';
import { STORED, inRun, type Stored } from '../../../stored/stored.ts';
import { hostService } from '../../context.ts';
import { leaveNothing, tokenOf } from './connections.ts';
import { currentActivation, reloadExtension } from './extension.ts';
import type { Person } from './person.ts';
import { issueToken } from './tokens.ts';

const NOTHING_STORED: Stored = { globalState: {}, workspaceState: {}, secrets: {}, panelStates: [] };

/** A version's values with current addresses and tokens. */
export async function inThisRun(version: string): Promise<Stored> {
  const service = hostService();
  const spec = hostService('spec');
  const own = await issueToken(service, {
    name: `own ${crypto.randomUUID()}`,
    actorUrn: 'urn:li:corpuser:analyst',
    ownerUrn: 'urn:li:corpuser:analyst',
  });
  const copied = await issueToken(service, { name: 'copied' });
  const remembered = await issueToken(spec, {
    name: 'remembered',
    actorUrn: 'urn:li:corpuser:operator',
    ownerUrn: 'urn:li:corpuser:operator',
  });
  return inRun(STORED[version] ?? assert.fail(), {
    service: service.url,
    spec: spec.url,
    'admin token': tokenOf(service, 'admin'),
    'operator token': tokenOf(spec, 'operator'),
    'sizer token': tokenOf(service, 'sizer'),
    'own token': own.token,
    'own token id': own.record.id,
    'copied token id': copied.record.id,
    'remembered token id': remembered.record.id,
  });
}

/** Deactivates the extension and activates it again with the stored state, like an update. */
export async function update(stored: Stored): Promise<void> {
  await putInPlace(currentActivation().context, stored);
  await reloadExtension();
}

/** Leaves nothing of the stored state for the next test, even if this one left something open. */
export async function leaveNothingStored(person: Person): Promise<void> {
  try {
    await leaveNothing(person);
  } finally {
    await putInPlace(currentActivation().context, NOTHING_STORED);
  }
}
