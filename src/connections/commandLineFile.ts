/** Reads the file with server and token of DataHub's command line (PROTOCOL.md §11). Never changes it. */
import { constants, lstat, open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { ServiceFailure } from '../service/failure/failure.ts';
import { expiredFailure } from '../service/failure/localFailures.ts';
import { candidateAddresses } from '../service/http/baseUrl.ts';
import { pastedToken, pastedTokenProblem } from '../service/tokens/pastedToken.ts';
import { hasExpired } from '../service/tokens/tokenClaims.ts';
import { inPlainText } from '../ui/foreignText.ts';
import type { AdditionalHeaders } from '../service/http/transport.ts';
import { importedHeaders } from './additionalHeaders.ts';
import type { SignIn } from './connection.ts';
import { COMMAND_LINE_FILE } from './credentialLife.ts';

const LARGEST_BYTES = 65_536;
/** In characters. Headers are named in a dialog. */
const LONGEST_HEADER_NAME = 40;
const MOST_HEADERS = 5;

/** In characters. */
const LONGEST_PATH = 200;

export interface ImportedConnection {
  readonly token: string | undefined;
  readonly source: NonNullable<SignIn['source']>;
  readonly headers: AdditionalHeaders;
  /** The command line's own: it appends its paths to it. */
  readonly baseUrl: string;
  /** For a service that isn't found there. */
  readonly otherBaseUrls: readonly string[];
}

export interface CommandLineImport {
  readonly connection: ImportedConnection;
  /** Sentences about what isn't as in the command line. */
  readonly remarks: readonly string[];
}

const CONTENT = v.object({
  gms: v.object({
    server: v.string(),
    token: v.nullish(v.string()),
    auth: v.optional(v.unknown()),
    extra_headers: v.optional(v.unknown()),
    ca_certificate_path: v.optional(v.unknown()),
    client_certificate_path: v.optional(v.unknown()),
    client_key_path: v.optional(v.unknown()),
    disable_ssl_verification: v.optional(v.unknown()),
  }),
  oauth: v.optional(v.unknown()),
});

/** True if there is something to read, good or bad. */
export function hasCommandLineFile(): Promise<boolean> {
  return realpath(ownPath()).then(
    () => true,
    () => false,
  );
}

function ownPath(): string {
  return join(homedir(), '.datahubenv');
}

/** @throws ServiceFailure with the reason, without anything from the file. */
export async function readCommandLineFile(path = ownPath()): Promise<CommandLineImport> {
  const { text, target } = await readOwnFile(path);
  const { connection, remarks } = await parseCommandLineFile(text);
  return {
    connection,
    remarks: [
      ...(target === undefined
        ? []
        : [l10n.t('{0} is a link to {1}.', COMMAND_LINE_FILE, inPlainText(target, LONGEST_PATH))]),
      ...remarks,
    ],
  };
}

/** @throws ServiceFailure as above. */
async function parseCommandLineFile(text: string): Promise<CommandLineImport> {
  // Loaded for an import alone.
  const { CORE_SCHEMA, load } = await import('js-yaml');
  let document: unknown;
  try {
    // Types of JSON alone: no custom tags, no merging of keys. Of equal keys the last counts, as for the command.
    document = load(text, { schema: CORE_SCHEMA, json: true });
  } catch {
    // The message of the parser quotes the file.
    throw importFailure(l10n.t("{0} isn't valid YAML.", COMMAND_LINE_FILE));
  }
  const parsed = v.safeParse(CONTENT, document);
  if (!parsed.success) {
    throw importFailure(l10n.t("{0} doesn't have the form that the datahub command writes.", COMMAND_LINE_FILE));
  }
  const { gms, oauth } = parsed.output;
  const addresses = commandLineAddresses(gms.server);
  if (addresses === undefined) {
    throw importFailure(l10n.t("The server in {0} isn't a valid address.", COMMAND_LINE_FILE));
  }
  const { token, remarks: ofToken } = importedToken(gms.token ?? '', addresses);
  const isSession = token !== undefined && isPresent(oauth);
  const { headers, remarks } = readHeaders(gms.extra_headers);
  return {
    connection: { ...addresses, token, source: isSession ? 'commandLineSession' : 'commandLineFile', headers },
    remarks: [...ofToken, ...remarksOf(parsed.output, token, isSession, remarks)],
  };
}

type Addresses = Pick<ImportedConnection, 'baseUrl' | 'otherBaseUrls'>;

/** @returns undefined if the text is no address. */
export function commandLineAddresses(text: string): Addresses | undefined {
  const found = candidateAddresses(text);
  const longestFirst =
    'problem' in found ? [] : found.map((one) => one.baseUrl).toSorted((a, b) => b.length - a.length);
  const [baseUrl, ...otherBaseUrls] = longestFirst;
  return baseUrl === undefined ? undefined : { baseUrl, otherBaseUrls };
}

/** The address in place of the token would be masked as a secret wherever it's shown. */
export function importedToken(
  text: string,
  { baseUrl }: Addresses,
): Pick<ImportedConnection, 'token'> & Pick<CommandLineImport, 'remarks'> {
  const token = pastedToken(text);
  if (hasExpired(token, Date.now())) {
    return { token: undefined, remarks: [expiredFailure().message] };
  }
  return pastedTokenProblem(text, baseUrl) === undefined
    ? { token: token || undefined, remarks: [] }
    : { token: undefined, remarks: [l10n.t("Its token can't be an access token, so it isn't imported.")] };
}

function remarksOf(
  { gms }: v.InferOutput<typeof CONTENT>,
  token: string | undefined,
  isSession: boolean,
  ofHeaders: readonly string[],
): string[] {
  const hasCertificates = [gms.ca_certificate_path, gms.client_certificate_path, gms.client_key_path].some(isPresent);
  return [
    ...(isSession
      ? [
          l10n.t(
            "Its token is a session token: it expires within minutes to hours, and only the datahub command can renew it. Once the connection is saved, you'll be asked to create an access token to use instead, unless the connection is read-only.",
          ),
        ]
      : []),
    ...(token === undefined && isPresent(gms.auth)
      ? [l10n.t('The file names an authentication provider ("auth") instead of a token, so no token is imported.')]
      : []),
    ...ofHeaders,
    ...(hasCertificates ? [l10n.t("Its certificates aren't used.")] : []),
    ...(isTurnedOn(gms.disable_ssl_verification)
      ? [l10n.t('"disable_ssl_verification" has no effect: certificates are always verified.')]
      : []),
  ];
}

function readHeaders(mapping: unknown): { readonly headers: AdditionalHeaders; readonly remarks: readonly string[] } {
  if (!isPresent(mapping)) {
    return { headers: {}, remarks: [] };
  }
  if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping)) {
    return { headers: {}, remarks: [l10n.t("Its additional headers can't be read.")] };
  }
  const { headers, refused } = importedHeaders(mapping);
  const names = refused.slice(0, MOST_HEADERS).map((name) => inPlainText(name, LONGEST_HEADER_NAME));
  if (names.length === 0) {
    return { headers, remarks: [] };
  }
  const list = names.join(', ');
  return {
    headers,
    remarks: [
      refused.length > names.length
        ? l10n.t("Some of its additional headers can't be sent: {0} and more.", list)
        : l10n.t("Some of its additional headers can't be sent: {0}.", list),
    ],
  };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** The command accepts other words than YAML 1.2 does, also in quotes. */
function isTurnedOn(value: unknown): boolean {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPresent(value) && !(isText && /^(?:false|f|no|n|off|0)$/i.test(String(value).trim()));
}

interface OwnFile {
  readonly text: string;
  /** Undefined unless the path is a link. */
  readonly target: string | undefined;
}

/** Follows a link to a file of the user or the system, waits for no pipe, and reads no more than such a file has. */
async function readOwnFile(path: string): Promise<OwnFile> {
  try {
    const target = (await lstat(path)).isSymbolicLink() ? await realpath(path) : undefined;
    // Windows has neither flag.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
    const file = await open(target ?? path, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { uid, isFile } = await file.stat().then((stats) => ({ uid: stats.uid, isFile: stats.isFile() }));
      if (!isFile || (target !== undefined && !isOwn(uid))) {
        throw importFailure(l10n.t('{0} must be a file that you own, or a link to one.', COMMAND_LINE_FILE));
      }
      const { buffer, bytesRead } = await file.read(Buffer.alloc(LARGEST_BYTES + 1), 0, LARGEST_BYTES + 1, 0);
      if (bytesRead > LARGEST_BYTES) {
        throw importFailure(l10n.t('{0} is too large.', COMMAND_LINE_FILE));
      }
      return { text: buffer.toString('utf8', 0, bytesRead), target };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (thrown instanceof ServiceFailure) {
      throw thrown;
    }
    throw (thrown as NodeJS.ErrnoException).code === 'ENOENT'
      ? importFailure(l10n.t('There is no {0}. The command "datahub init" creates it.', COMMAND_LINE_FILE))
      : importFailure(l10n.t("Couldn't read {0}.", COMMAND_LINE_FILE));
  }
}

/** Nix keeps the files of users as the system's own. Windows has no such number. */
function isOwn(uid: number): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === own || uid === 0;
}

function importFailure(text: string): ServiceFailure {
  return new ServiceFailure('storage', text, { headline: l10n.t("Can't import") });
}
