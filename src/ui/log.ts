/** The only writer of the log. Words from servers are masked and cut; headers and bodies are never logged. */
import * as vscode from 'vscode';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { TRUNCATE } from '../service/failure/privileges.ts';
import { redactTokens } from '../service/failure/redaction.ts';
import type { ExchangeRecord } from '../service/http/transport.ts';
import { LONGEST_SENTENCE, inPlainText } from './foreignText.ts';

export class Log implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('DataHub', { log: true });

  /** One line per exchange: request, result, duration, size. */
  exchange(connection: string, exchange: ExchangeRecord): void {
    const outcome =
      exchange.status === undefined
        ? (exchange.failure ?? 'no answer')
        : `HTTP ${exchange.status}${exchange.failure ? ` ${exchange.failure}` : ''}`;
    // The server has one action for both.
    const isDryRun = exchange.operation === TRUNCATE.name && !exchange.isChange;
    const operation = isDryRun ? `${exchange.operation} (dry run)` : exchange.operation;
    const request = `[${connection}] ${operation}: ${exchange.method} ${exchange.path}`;
    const line = `${request} → ${outcome}, ${exchange.bytes} B in ${exchange.millis} ms`;
    const level = exchange.failure === undefined && (exchange.status ?? 0) < 400 ? 'info' : 'warn';
    this.#writeLogLine(level, inPlainText(line, LONGEST_SENTENCE));
  }

  /** The message, and the masked server text if it differs. */
  failure(failure: ServiceFailure): void {
    const { operation = 'extension', kind, message, serverText } = failure;
    const more = serverText === undefined || message.includes(serverText) ? '' : ` (${serverText})`;
    this.#writeLogLine('error', inPlainText(`${operation}: ${kind}: ${message}${more}`, LONGEST_SENTENCE));
  }

  /** A bug of ours: where it occurred, without its message, which might contain anything. */
  bug(command: string, thrown: unknown): void {
    this.#writeLogLine(
      'error',
      `${command}: ${thrown instanceof Error ? thrown.name : typeof thrown}\n${stackFramesOf(thrown).join('\n')}`,
    );
  }

  /** VS Code throws if the channel is closed, as after a reload. The logged event still happened. */
  #writeLogLine(level: 'info' | 'warn' | 'error', line: string): void {
    try {
      this.#channel[level](redactTokens(line));
    } catch {
      // There is no other place to report this.
    }
  }

  show(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

/** Stack frames of an error. Skips its message, whose lines may look like frames. */
function stackFramesOf(thrown: unknown): string[] {
  const { message, stack = '' } = thrown instanceof Error ? thrown : { message: '' };
  const at = stack.indexOf(message);
  const frames = at < 0 ? '' : stack.slice(at + message.length);
  return frames.split('\n').filter((line) => line.trimStart().startsWith('at '));
}
