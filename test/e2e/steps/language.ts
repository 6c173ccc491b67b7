/**
 * The main job in a display language: no translated text of ours may be shown in English, or be cut off where words
 * are longer.
 */
import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { inQuickTime } from '../../host/vscode/quickTime.ts';
import { englishAmong, isUntranslated, textsShown } from '../../../tools/l10n/fallbacks.ts';
import type { DisplayLanguage } from '../../../tools/l10n/translationFiles.ts';
import { actUntil } from '../harness/conditions.ts';
import { answerModal, modal } from '../harness/dialogs.ts';
import { clippedParts, setPageWidth } from '../harness/layout.ts';
import {
  acceptQuickInput,
  clippedRows,
  fillQuickInput,
  pick,
  quickInputMessage,
  quickInputTitle,
  quickPickRow,
  runCommand,
} from '../harness/quickInput.ts';
import { watchEverything } from '../harness/seen.ts';
import { openStage, type Stage } from '../harness/stage.ts';
import { chooseFromRow, expandRow, pressRowIcon, treeRow } from '../harness/tree.ts';
import { webviewPage } from '../harness/webview.ts';
import { Words, wordsOfVSCode } from '../harness/words.ts';
import { openViewContainer } from '../harness/workbench.ts';
import { answerStep, connectionRow } from './connections.ts';
import { openWizard, typeWhatIsAsked } from './wizard.ts';

const DAY_MS = 86_400_000;
/** Rows of 500 days ago, and newer ones. The share of the first is the longest that is shown. */
const INDICES = [
  ['dataset', 'datasetprofile', 4_999, 1],
  ['chart', 'chartusagestatistics', 300, 700],
  ['dataset', 'operation', 300, 4_000],
] as const;
/** Not a word of ours, because that would count as an untranslated text. */
const CONNECTION = 'Lakehouse';
/** Minimum width of a page, in px. */
const NARROW = 300;
/** Minimum number of our texts that the story must meet. */
const LEAST_TEXTS = 40;

/** A step of the main job. Each depends on those before. */
export type LanguageStep = { readonly name: string; readonly work: () => Promise<void> };

/**
 * The main job in a language. The file creates the tests itself, otherwise node:test would report them as those of
 * this file.
 */
export async function stepsIn(language: DisplayLanguage): Promise<readonly LanguageStep[]> {
  return stepsOf(Words.of(language), await openStage({ service: { profile: 'next', rows: 0 }, vscode: { language } }));
}

async function stepsOf(words: Words, { service, database, page, person }: Stage): Promise<readonly LanguageStep[]> {
  const { language } = words;
  const said = words.said.bind(words);
  const { admin } = service.users;
  const seen = await watchEverything(person);
  const wizard = webviewPage(page);
  for (const [entity, aspect, old, newer] of INDICES) {
    database.insert(entity, aspect, Date.now() - 500 * DAY_MS, old);
    database.insert(entity, aspect, Date.now() - 5 * DAY_MS, newer);
  }
  const mayBeEnglish = isUntranslated(words.english, words.translated);

  const steps: LanguageStep[] = [];
  const step = (name: string, work: () => Promise<void>): void => void steps.push({ name, work });

  step('is told how to begin', async () => {
    await openViewContainer(page, said('container.title'));
    const add = page.locator('.part.sidebar .monaco-text-button', { hasText: said('Add Connection') });
    await actUntil(() => add.click(), quickInputTitle(page, said('Add Connection')));
  });

  step('adds a connection', async () => {
    await quickPickRow(page, said('Type or paste the address')).waitFor();
    // A front dates its answers. While two indices are watched in quick time, the clocks would come to differ.
    await fillQuickInput(page, service.url);
    await quickPickRow(page, /^\s*https?:/).waitFor();
    await acceptQuickInput(page);
    await answerStep(page, said('Access token (optional). Stored securely in VS Code secret storage.'), admin.token);
    await quickPickRow(page, said('Save Connection')).waitFor();
    await pick(page, said('Role: {0}', said('Development')));
    await quickPickRow(page, said('Production')).waitFor();
    assert.deepEqual(await clippedRows(page), []);
    await pick(page, said('Development'));
    await quickPickRow(page, said('Save Connection')).waitFor();
    await pick(page, said('Name: {0}', new URL(service.url).host));
    await answerStep(page, said('A name for this connection.'), CONNECTION);
    await pick(page, said('Save Connection'));
    await modal(page).waitFor();
    await answerModal(page, said('Use Plain HTTP'));
    await connectionRow(page, CONNECTION).waitFor();
  });

  step('sees access tokens and indices', async () => {
    await expandRow(page, said('Access tokens'));
    await expandRow(page, said('Time series indices'));
    await treeRow(page, /^dataset, operation,/)
      .first()
      .waitFor();
  });

  step('creates an access token, and revokes it', async () => {
    const named = said('Name this token so you can recognize it later.');
    const asked = quickInputMessage(page).filter({ hasText: named });
    await pressRowIcon(page, said('Access tokens'), said('command.token.create'), asked);
    await answerStep(page, named, 'nightly ingestion');
    await pick(page, said('Acts as'));
    await pick(page, said('User…'));
    await answerStep(page, said('User this token acts as (ID or URN).'), 'admin');
    await pick(page, said('Expires after'));
    await pick(page, words.unit(1, 'hour'));
    await pick(page, said('Description'));
    await answerStep(page, said('A description (optional).'), '');
    await pick(page, said('Create Access Token'));
    await modal(page).waitFor();
    await answerModal(page, said('Copy Token'));
    await treeRow(page, /^nightly ingestion/).waitFor();
    await chooseFromRow(page, /^nightly ingestion/, said('command.token.revoke'));
    const question = await answerModal(page, said('Revoke'));
    assert.ok(question.includes('nightly ingestion'), question);
    await treeRow(page, /^nightly ingestion/).waitFor({ state: 'detached' });
  });

  step('sees what a truncation would delete', async () => {
    await openWizard(page, /^dataset, operation,/, {
      icon: said('command.index.truncate'),
      question: said('Select a time series index'),
      heading: /\boperation\b/,
    });
    await wizard.getByRole('combobox', { name: said('Delete rows older than') }).fill('365');
    await wizard.getByText(said('Advanced')).click();
    await wizard.getByLabel(said('Batch size')).fill('0');
    await wizard.getByLabel(said('Batch size')).press('Tab');
    await wizard.locator('[aria-invalid="true"]').waitFor();
    await looksRight();
    await wizard.getByLabel(said('Batch size')).fill('100');
    await wizard.locator('#primary').click();
    await wizard.locator('#report-heading').waitFor();
    await looksRight();
  });

  step('deletes, and sees it end', async () => {
    await wizard.locator('#primary.danger').click();
    await typeWhatIsAsked(page);
    await inQuickTime(() => wizard.locator('.callout.done').waitFor());
    await looksRight();
  });

  step('truncates two indices at once, and reads each figure', async () => {
    await runCommand(page, `DataHub: ${said('command.index.overview')}`);
    const overview = webviewPage(page);
    for (const [entity, aspect] of INDICES.slice(0, 2)) {
      const name = said('Select {0}', `${entity}/${aspect}`);
      // In any spelling: the page has the registry's.
      await overview.getByRole('checkbox', { name }).press('Space');
    }
    const age = overview.getByLabel(said('Delete rows older than (days)'));
    await age.fill('365');
    await age.press('Enter');
    const remove = overview.getByRole('button', { name: words.saidOf('Delete {0} Rows…') });
    await remove.waitFor();
    const shares = await overview.locator('ul.items .state').allInnerTexts();
    assert.ok(
      shares.some((text) => text.includes('>')),
      'the widest share is shown',
    );
    await looksRight();
    await remove.click();
    await typeWhatIsAsked(page);
    const finished = overview.locator('.status').getByText(said('finished'), { exact: true });
    await inQuickTime(() => finished.nth(1).waitFor());
    await looksRight();
  });

  step('has read nothing of ours in English that is translated', async () => {
    const shown = new Set((await seen.texts()).flatMap(textsShown));
    assert.deepEqual(englishAmong(shown, words.english, words.translated, await wordsOfVSCode()), []);
    const ours = new Set(
      Object.entries(words.translated).flatMap(([key, text]) => (text === words.english[key] ? [] : [text])),
    );
    const met = [...shown].filter((text) => ours.has(text) || mayBeEnglish(text));
    assert.ok(met.length >= LEAST_TEXTS, `only ${met.length} texts were met: ${met.join('; ')}`);
    const known = 'Access tokens';
    assert.deepEqual(englishAmong([known, 'none of ours'], words.english, words.translated), [known]);
  });

  return steps;

  /** Asserts that the page, which only has our texts, is in the language, and readable in a narrow window. */
  async function looksRight(): Promise<void> {
    const shown = await textsOf(wizard);
    assert.deepEqual(englishAmong(shown, words.english, words.translated), []);
    if (language === 'ja') assert.deepEqual(shown.filter(isUntold), [], 'what is no name is in Japanese');
    const before = page.viewportSize();
    await setPageWidth(page, wizard, NARROW);
    assert.deepEqual(await clippedParts(wizard), [], `at ${NARROW} px`);
    if (before !== null) await page.setViewportSize(before);
  }

  /** True for text in Latin letters only, apart from names by the server or the user. */
  function isUntold(text: string): boolean {
    const indices = INDICES.flatMap(([entity, aspect]) => [aspect, entity]);
    const names = [CONNECTION, service.url, ...indices, 'admin', 'UTC', 'DataHub', admin.urn];
    // In any spelling: the registry's, or the server's.
    const rest = names.reduce((left, name) => left.replaceAll(name.toLowerCase(), ''), text.toLowerCase());
    return (
      !mayBeEnglish(text) &&
      !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text) &&
      /\p{L}{3}/u.test(rest)
    );
  }
}

/** Texts on a page and those for screen readers, without quotes of the server. */
function textsOf(webview: FrameLocator): Promise<string[]> {
  return webview.locator('body').evaluate((body) => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) {
      const around = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent?.trim() ?? '';
      if (text !== '' && around?.closest('script, style, .quoted, code') === null) texts.push(text);
    }
    for (const element of body.querySelectorAll('[aria-label], [title], [placeholder], [aria-valuetext]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) {
        const text = element.getAttribute(name);
        if (text !== null && text !== '') texts.push(text);
      }
    }
    return texts;
  });
}
