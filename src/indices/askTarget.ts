/** Naming an index that no list offers. */
import * as l10n from '@vscode/l10n';
import { askText, runSteps } from '../ui/inputSteps.ts';
import type { IndexTarget } from './indexTarget.ts';
import { nameProblem } from './indexName.ts';

/** Asks for entity type and aspect. @returns undefined when the person left. */
export async function askTarget(title: string, proposed: IndexTarget): Promise<IndexTarget | undefined> {
  const target = { ...proposed };
  const done = await runSteps(title, [
    {
      ask: async (place) => {
        const answer = await askText(place, {
          value: target.entityType,
          prompt: l10n.t('Entity type, as the server spells it (mostly lower case).'),
          placeholder: l10n.t('for example dataset'),
          problem: (text) => nameProblem(text, 'entityType'),
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
          prompt: l10n.t('Aspect, as the server spells it (mostly lower case).'),
          placeholder: l10n.t('for example datasetprofile'),
          problem: (text) => nameProblem(text, 'aspect'),
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
