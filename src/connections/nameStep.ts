/** On production the connection's name is typed before something that cannot be undone: a yes from habit takes more than a key. */
import * as l10n from '@vscode/l10n';
import { alone, askText } from '../ui/inputSteps.ts';
import type { Answer, Step, StepPlace } from '../ui/inputSteps.ts';
import { isTypedName } from '../ui/typedName.ts';
import type { Connection } from './connection.ts';

/** A step that asks for the connection's name; passed over where that is not asked for. */
export function nameStep(connection: Pick<Connection, 'name' | 'role'>): Step {
  return {
    applies: () => connection.role === 'production',
    ask: async (place) => {
      const answer = await askName(place, connection);
      return answer.kind === 'value' ? { kind: 'value', value: undefined } : answer;
    },
  };
}

/** @returns true at once where the name is not asked for. */
export async function typesName(connection: Pick<Connection, 'name' | 'role'>, title: string): Promise<boolean> {
  return connection.role !== 'production' || (await askName(alone(title), connection)).kind === 'value';
}

/** Asks for the name, whatever the role. */
export function askName(place: StepPlace, { name, role }: Pick<Connection, 'name' | 'role'>): Promise<Answer<string>> {
  return askText(place, {
    value: '',
    prompt:
      role === 'production'
        ? l10n.t('This is a production connection. Type its name, {0}, to confirm.', name)
        : l10n.t('Type {0} to confirm.', name),
    placeholder: name,
    problem: (text) => (isTypedName(text, name) ? undefined : l10n.t("Doesn't match. Type {0}.", name)),
  });
}
