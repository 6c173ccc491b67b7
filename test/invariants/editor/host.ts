/** The extension host of one window. It dies with the window: nothing that it waits for comes back then. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReadableStream as NodeStream } from 'node:stream/web';
import type * as vscode from 'vscode';
import { root } from '../../../tools/paths.ts';
import type { Machine, SentRequest } from './machine.ts';
import type { Panel, QuickInput } from './vscode.ts';

export const MANIFEST = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
  };
};

const hosts = new Map<number, Host>();

/** @param url Address of a window's copy of the stand-in for VS Code: `?window=<id>` at its end. */
export function hostOf(url: string): Host {
  const host = hosts.get(Number(new URL(url).searchParams.get('window')));
  if (host === undefined) {
    throw new Error(`no window has ${url}`);
  }
  return host;
}

/** A modal question. */
export interface Question {
  readonly message: string;
  readonly buttons: readonly string[];
  /** Undefined is Escape. */
  readonly answer: (button: string | undefined) => void;
}

/** An answer to a modal question, or a text that an input box has taken. */
export interface GivenAnswer {
  readonly window: number;
  /** The message, or the title of the box. */
  readonly question: string;
  /** The button or the text. Undefined is Escape. */
  readonly answer: string | undefined;
  /** Unix time in ms, by a clock that nobody sets. */
  readonly at: number;
  /** Number of requests of all windows until then. */
  readonly requestsBefore: number;
}

export interface Notice {
  readonly message: string;
  readonly buttons: readonly string[];
}

/** Where a window's folders are, and where its extensions run: 1 on the user's machine, 2 with the folders. */
export interface WindowPlace {
  readonly extensionKind: 1 | 2;
  readonly remoteName: string | undefined;
}

export class Host {
  readonly id: number;
  readonly place: WindowPlace;
  readonly machine: Machine;
  readonly commands = new Map<string, (...given: unknown[]) => unknown>();
  readonly contextKeys = new Map<string, unknown>();
  /** Open ones. */
  readonly questions: Question[] = [];
  readonly answers: GivenAnswer[] = [];
  readonly notices: Notice[] = [];
  /** What questions and inputs have shown so far. */
  readonly asked: string[] = [];
  readonly panels: Panel[] = [];
  readonly serializers = new Map<string, vscode.WebviewPanelSerializer>();
  readonly log: string[] = [];
  readonly statusBar: { text: string; tooltip: unknown }[] = [];
  input: QuickInput | undefined;
  tree: vscode.TreeDataProvider<unknown> | undefined;
  /** Number of writes that the window's storage and its secrets take. Later ones never end. */
  writesAllowed = Number.POSITIVE_INFINITY;
  writes = 0;
  #isAlive = true;

  constructor(machine: Machine, place: WindowPlace) {
    this.place = place;
    this.machine = machine;
    this.id = hosts.size + 1;
    hosts.set(this.id, this);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Kills the process. */
  die(): void {
    this.#isAlive = false;
  }

  /** Notes an answer to a question. */
  noteAnswer(question: string, answer: string | undefined): void {
    const { realTime, requests } = this.machine;
    this.answers.push({ window: this.id, question, answer, at: realTime, requestsBefore: requests.length });
  }

  /** Calls the function once the time has passed. @returns stops that. */
  after(millis: number, run: () => void): () => void {
    return this.machine.time.after(millis, () => this.#isAlive && run());
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#whileAlive(() => this.machine.during(work));
  }

  write<T>(work: () => Promise<T>): Promise<T> {
    return this.#whileAlive(() => {
      if (this.writes >= this.writesAllowed) {
        return never();
      }
      this.writes++;
      return this.machine.during(work);
    });
  }

  fetch(url: string, init: RequestInit): Promise<Response> {
    return this.#whileAlive(() => this.#request(url, init));
  }

  async #request(url: string, init: RequestInit): Promise<Response> {
    const { machine } = this;
    const isHeldBack = init.body instanceof ReadableStream;
    const sent: SentRequest = {
      window: this.id,
      url,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: '',
      isHeldBack,
      isComplete: init.body === undefined || init.body === null,
      at: machine.realTime,
      filesBefore: isHeldBack ? machine.files() : new Map(),
    };
    machine.requests.push(sent);
    await this.#wait(machine.takeDelay('connecting', sent));
    const response = await machine.during(() => exchanged(url, init, sent));
    await this.#wait(machine.takeDelay('answering', sent));
    init.signal?.throwIfAborted();
    sent.answeredAt = machine.realTime;
    return response;
  }

  /** Nothing else waits meanwhile: only time can end it. */
  async #wait(millis: number): Promise<void> {
    if (millis > 0) {
      await new Promise<void>((resolve) => this.machine.time.after(millis, resolve));
    }
  }

  async #whileAlive<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isAlive) {
      return never();
    }
    try {
      const result = await work();
      return this.#isAlive ? result : await never<T>();
    } catch (thrown) {
      return this.#isAlive ? Promise.reject(thrown) : never();
    }
  }
}

/** What nothing comes of any more. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

const WITHOUT_BODY = new Set([204, 205, 304]);

async function exchanged(url: string, init: RequestInit, sent: SentRequest): Promise<Response> {
  const response = await fetch(url, withNotedBody(init, sent));
  const { status, statusText, headers } = response;
  const body = await wholeBody(response, sent);
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers });
}

/** Notes what the network takes, when it takes it. */
function withNotedBody(init: RequestInit, sent: SentRequest): RequestInit {
  const { body } = init;
  if (body instanceof ReadableStream) {
    return { ...init, body: NodeStream.from(noted(body as ReadableStream<Uint8Array>, sent)) as ReadableStream };
  }
  if (typeof body === 'string') {
    sent.body = body;
    sent.isComplete = true;
  }
  return init;
}

async function* noted(body: ReadableStream<Uint8Array>, sent: SentRequest): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body) {
    sent.body += Buffer.from(chunk).toString('utf8');
    yield chunk;
  }
  sent.isComplete = true;
}

/** Reads the answer at once, so that nothing comes in later. One that breaks off does so when it is read. */
async function wholeBody(response: Response, sent: SentRequest): Promise<ArrayBuffer | ReadableStream> {
  try {
    const bytes = await response.arrayBuffer();
    sent.answer = Buffer.from(bytes).toString('utf8');
    return bytes;
  } catch (broken) {
    return new ReadableStream({ start: (stream) => stream.error(broken) });
  }
}
