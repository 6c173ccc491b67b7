/** The extension host of one window. It dies with the window: nothing that it waits for comes back then. */
import type * as vscode from 'vscode';
import type { Machine, SentRequest } from './machine.ts';
import type { MachineTime } from './time.ts';

const hosts = new Map<number, Host>();

/** @param url Address of a window's copy of a stand-in: `?window=<id>` at its end. */
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
  readonly detail: string;
  readonly buttons: readonly string[];
  /** Undefined is Escape. */
  readonly answer: (button: string | undefined) => void;
}

/** An answer to a modal question, or a text that an input box has taken. */
export interface GivenAnswer {
  readonly window: number;
  readonly question: Question;
  /** The text, for a box. Undefined is Escape. */
  readonly button: string | undefined;
  /** Unix time in ms, by a clock that nobody sets. */
  readonly at: number;
  /** Number of requests of all windows until then. */
  readonly requestsBefore: number;
}

export interface Notice {
  readonly message: string;
  readonly buttons: readonly string[];
  readonly press: (button: string | undefined) => void;
}

/** A quick pick or an input box. */
export interface OpenInput {
  readonly kind: 'pick' | 'box';
  title: string | undefined;
  prompt: string | undefined;
  placeholder: string | undefined;
  value: string;
  readonly items: readonly vscode.QuickPickItem[];
  readonly validationMessage: string | vscode.InputBoxValidationMessage | undefined;
  readonly canSelectMany: boolean;
  choose(items: readonly vscode.QuickPickItem[]): void;
  typed(text: string): void;
  accept(): void;
  hide(): void;
}

/** A page, without the browser that draws it. */
export interface OpenPanel {
  readonly viewType: string;
  readonly title: string;
  isOpen: boolean;
  /** The extension has filled it. */
  readonly isLoaded: boolean;
  /** Messages from the extension, oldest first. */
  readonly received: readonly Readonly<Record<string, unknown>>[];
  /** Delivers a message of the page. */
  send(message: unknown): void;
  /** Shows the page, or covers it by another editor. */
  show(isVisible: boolean): void;
  close(): void;
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
  readonly subscriptions: vscode.Disposable[] = [];
  readonly commands = new Map<string, (...given: unknown[]) => unknown>();
  readonly contextKeys = new Map<string, unknown>();
  /** Open ones. */
  readonly questions: Question[] = [];
  readonly answers: GivenAnswer[] = [];
  readonly notices: Notice[] = [];
  /** What questions and inputs have shown so far. */
  readonly asked: string[] = [];
  readonly panels: OpenPanel[] = [];
  readonly serializers = new Map<string, vscode.WebviewPanelSerializer>();
  readonly log: string[] = [];
  readonly statusBar: { text: string; tooltip: unknown }[] = [];
  readonly settings = new Map<string, unknown>();
  readonly defaultSettings: ReadonlyMap<string, unknown>;
  input: OpenInput | undefined;
  tree: vscode.TreeDataProvider<unknown> | undefined;
  isFocused = true;
  /** Number of writes that the window's storage and its secrets take. Later ones never end. */
  writesAllowed = Number.POSITIVE_INFINITY;
  writes = 0;
  #isAlive = true;

  constructor(machine: Machine, defaultSettings: ReadonlyMap<string, unknown>, place: WindowPlace) {
    this.place = place;
    this.machine = machine;
    this.defaultSettings = defaultSettings;
    this.id = hosts.size + 1;
    hosts.set(this.id, this);
  }

  get time(): MachineTime {
    return this.machine.time;
  }

  get home(): string {
    return this.machine.home;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Kills the process. */
  die(): void {
    this.#isAlive = false;
  }

  after(millis: number, run: () => void): () => void {
    return this.time.after(millis, () => this.#isAlive && run());
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
      method: init.method ?? 'GET',
      url,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: '',
      isHeldBack,
      isComplete: init.body === undefined || init.body === null,
      at: machine.time.real(),
      filesBefore: isHeldBack ? machine.files() : new Map(),
    };
    machine.requests.push(sent);
    await this.#wait(machine.takeDelay('connecting', sent));
    const response = await machine.during(() => exchanged(url, init, sent));
    await this.#wait(machine.takeDelay('answering', sent));
    init.signal?.throwIfAborted();
    sent.answeredAt = machine.time.real();
    return response;
  }

  /** Nothing else waits meanwhile: only time can end it. */
  async #wait(millis: number): Promise<void> {
    if (millis > 0) {
      await new Promise<void>((resolve) => this.time.after(millis, resolve));
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

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

/** Notes what the network takes, when it takes it. */
function recorded(body: RequestInit['body'], sent: SentRequest): RequestInit['body'] {
  if (body instanceof ReadableStream) {
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (stream) => {
          const { done, value } = await reader.read();
          if (done) {
            sent.isComplete = true;
            stream.close();
            return;
          }
          sent.body += Buffer.from(value).toString('utf8');
          stream.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
  if (typeof body === 'string') {
    sent.body = body;
    sent.isComplete = true;
  }
  return body;
}

const WITHOUT_BODY = new Set([204, 205, 304]);

async function exchanged(url: string, init: RequestInit, sent: SentRequest): Promise<Response> {
  const body = recorded(init.body, sent);
  const response = await globalThis.fetch(url, { ...init, ...(body === undefined ? {} : { body }) });
  sent.status = response.status;
  return wholeAnswer(response, sent);
}

/** Reads the answer at once, up to its end or to where it breaks, so that nothing comes in later. */
async function wholeAnswer(response: Response, sent: SentRequest): Promise<Response> {
  const { status, statusText, headers } = response;
  const chunks: Uint8Array[] = [];
  let broken: unknown;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk as Uint8Array);
    }
    sent.answer = Buffer.concat(chunks).toString('utf8');
  } catch (thrown) {
    broken = thrown;
  }
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      chunks.forEach((chunk) => stream.enqueue(chunk));
      if (broken === undefined) stream.close();
      else stream.error(broken);
    },
  });
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers });
}
