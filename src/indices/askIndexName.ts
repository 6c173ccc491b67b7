/** Asks for an index that the server doesn't list. */
import * as l10n from '@vscode/l10n';
import { askText, runInputSteps } from '../ui/inputSteps.ts';
import { type IndexName, indexNameProblem } from './indexName.ts';

/** Asks for entity type and aspect. @returns undefined if the user cancelled. */
export async function askIndexName(title: string): Promise<IndexName | undefined> {
  const target = { entityType: '', aspect: '' };
  const done = await runInputSteps(title, [
    {
      ask: async (place) => {
        const answer = await askText(place, {
          value: target.entityType,
          prompt: l10n.t('Entity type, as the server spells it (usually lowercase).'),
          placeholder: l10n.t('for example dataset'),
          problem: (text) => indexNameProblem(text, 'entityType'),
        });
        if (answer.kind !== 'value') {
          return answer;
        }
        target.entityType = answer.value.trim();
        return { kind: 'value', value: undefined };
      },
    },
    {
      ask: async (place) => {
        const answer = await askText(place, {
          value: target.aspect,
          prompt: l10n.t('Aspect, as the server spells it (usually lowercase).'),
          placeholder: l10n.t('for example datasetprofile'),
          problem: (text) => indexNameProblem(text, 'aspect'),
        });
        if (answer.kind !== 'value') {
          return answer;
        }
        target.aspect = answer.value.trim();
        return { kind: 'value', value: undefined };
      },
    },
  ]);
  return done ? target : undefined;
}
