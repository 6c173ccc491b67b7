import * as vscode from 'vscode';
import type { TokenFilter } from '../service/tokens/tokens.ts';
import { shortActor } from '../service/urn.ts';
import type { TokenQuery } from './tokenList.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

/** The query in words, for the tree's description. */
export function queryText(query: TokenQuery): string {
  const whose = query.scope === 'own' ? vscode.l10n.t('mine') : vscode.l10n.t('all');
  return [whose, ...query.filters.map(filterText)].join(', ');
}

function filterText({ field, value, condition }: TokenFilter): string {
  const isTime = field === 'expiresAt' || field === 'createdAt';
  const shown = isTime ? formatsOf(language()).date(Number(value)) : shortActor(value);
  const sign = { EQUAL: '=', CONTAIN: '~', LESS_THAN: '<', GREATER_THAN: '>' }[condition];
  return `${field} ${sign} ${shown}`;
}
