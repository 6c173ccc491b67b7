/** The case of a fixture that says in its notes what the client makes of it: facts, or how an operation fails. */
import assert from 'node:assert/strict';
import type { FailureKind } from '../../../../src/service/failure/failure.ts';
import { FACTS, type AskedFactName } from '../../../../src/service/server/facts.ts';
import { KNOWN_FACTS } from '../clients.ts';
import { fails, OPERATIONS, type Call, type Case, type FailureFacts } from './cases.ts';
import type { WireFixture, WireResult } from './wireFixture.ts';

/** Undefined if the fixture says nothing of it. Everything is known beforehand but what it is about. */
export function statedCase({ results, exchanges }: WireFixture): Case | undefined {
  if (results.length === 0) {
    return undefined;
  }
  const isAsked = (name: string): boolean => results.some(({ of }) => of === name);
  return {
    knownFacts: Object.fromEntries(Object.entries(KNOWN_FACTS).filter(([name]) => !isAsked(name))),
    // Such a server doesn't say its name: the user has typed it.
    product: exchanges.some(({ request }) => 'x-service-actor' in request.headers) ? 'Service' : undefined,
    call: async (service) => {
      const outcomes: unknown[] = [];
      for (const { of } of results) {
        outcomes.push(await callOf(of)(service).catch((thrown: unknown) => thrown));
      }
      return outcomes;
    },
    outcome: (outcomes, service) =>
      results.forEach((result, at) => check(result, (outcomes as readonly unknown[])[at], service)),
  };
}

function callOf(name: string): Call {
  if (name in FACTS && 'ask' in FACTS[name as AskedFactName]) {
    return ({ server }) => server.fact(name as AskedFactName);
  }
  return OPERATIONS[name] ?? assert.fail(`neither a fact nor an operation: ${name}`);
}

function check({ kind, of, json }: WireResult, outcome: unknown, service: Parameters<Case['outcome']>[1]): void {
  const expected: unknown = JSON.parse(json);
  if (kind === 'failure') {
    const { kind: failure, ...facts } = expected as { readonly kind: FailureKind };
    const told = Object.entries(facts).map(([name, fact]) => [name, fact ?? undefined]);
    fails(failure, Object.fromEntries(told) as FailureFacts)(outcome, service);
    return;
  }
  assert.deepEqual(asJson(outcome), expected);
  const kept = asJson(service.server.known[of as AskedFactName]);
  assert.deepEqual(kept, kind === 'fact' ? expected : undefined, 'an assumption is not kept');
}

/** As it is stored: without what is undefined. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
