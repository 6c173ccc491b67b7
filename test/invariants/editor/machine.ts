/** What the windows of a user share: time, files, secrets, VS Code's storage, the clipboard, and the network. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SteppedClock } from '../../unit/steppedClock.ts';
import { SharedState } from './storage.ts';

/** A request as a window made it. */
export interface SentRequest {
  readonly window: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the network took of the body. */
  body: string;
  /** Its body is given only as the network takes it, as for all that changes something. */
  readonly isHeldBack: boolean;
  /** The network took all of it. */
  isComplete: boolean;
  /** Unix time in ms, by a clock that nobody sets. */
  readonly at: number;
  /** Everything on disk when the network was asked for a change. */
  readonly filesBefore: ReadonlyMap<string, string>;
  /** The whole text. Undefined while there is none, and if it breaks off. */
  answer?: string;
  /** When the window got it, by the same clock. */
  answeredAt?: number;
}

/** Time that the network takes once, before the request leaves or before its answer comes. */
interface NetworkDelay {
  readonly stage: 'connecting' | 'answering';
  readonly fits: (request: SentRequest) => boolean;
  readonly millis: number;
}

export class Machine {
  readonly #start = Date.now();
  readonly time = new SteppedClock(this.#start);
  readonly folder = mkdtempSync(join(tmpdir(), 'machine-'));
  readonly home = join(this.folder, 'home');
  readonly secrets = new Map<string, string>();
  readonly secretListeners = new Set<(key: string) => void>();
  readonly globalState = new SharedState();
  /** Of one folder of the user. */
  readonly workspaceState = new SharedState();
  clipboard = '';
  readonly requests: SentRequest[] = [];
  /** All texts that any window wrote to a file, or to VS Code's storage. */
  readonly written: string[] = [];
  /** Ended windows leave some of them. */
  readonly openFiles = new Set<FileHandle>();
  readonly delays: NetworkDelay[] = [];
  #pending = 0;
  #begun = 0;

  constructor() {
    mkdirSync(this.home);
  }

  /** Unix time in ms by a clock that nobody sets. */
  get realTime(): number {
    return this.#start + this.time.monotonic();
  }

  /** Counts work outside of the extension until it ends. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#pending++;
    this.#begun++;
    try {
      return await work();
    } finally {
      this.#pending--;
    }
  }

  /** @returns ms. */
  takeDelay(stage: NetworkDelay['stage'], request: SentRequest): number {
    const at = this.delays.findIndex((one) => one.stage === stage && one.fits(request));
    return at === -1 ? 0 : (this.delays.splice(at, 1)[0]?.millis ?? 0);
  }

  /** Waits until nothing happens any more without time passing. */
  async rests(): Promise<void> {
    for (let before = -1; before !== this.#begun || this.#pending > 0;) {
      before = this.#begun;
      for (let turn = 0; turn < QUIET_TURNS; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  /** All files of the extension and of the user by their paths. */
  files(): ReadonlyMap<string, string> {
    const paths = readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return new Map(
      paths.flatMap((path) => {
        try {
          return [[path, readFileSync(path, 'utf8')] as const];
        } catch {
          return [];
        }
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.openFiles].map((file) => file.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const QUIET_TURNS = 20;
