/** Reads server and token of DataHub's command line, from its file, which stays as it is, or the environment (PROTOCOL.md §11). */
import { lstat, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { ServiceFailure, expiredFailure } from '../service/failure/failure.ts';
import { candidateAddresses } from '../service/http/candidateAddresses.ts';
import { pastedToken, pastedTokenProblem } from '../service/tokens/pastedToken.ts';
import { hasExpired } from '../service/tokens/tokenClaims.ts';
import { inPlainText } from '../ui/foreignText.ts';
import type { AdditionalHeaders } from '../service/http/transport.ts';
import { importedHeaders } from './additionalHeaders.ts';
import type { SignIn } from './connection.ts';
import { COMMAND_LINE_FILE } from './credentialLife.ts';

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
  }),
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
    document = undefined;
  }
  const parsed = v.safeParse(CONTENT, document);
  if (!parsed.success) {
    throw importFailure(l10n.t("{0} isn't a valid configuration file of the datahub command.", COMMAND_LINE_FILE));
  }
  const { gms } = parsed.output;
  const addresses = commandLineAddresses(gms.server);
  if (addresses === undefined) {
    throw importFailure(l10n.t("The server in {0} isn't a valid address.", COMMAND_LINE_FILE));
  }
  const { token, remarks: ofToken } = importedToken(gms.token ?? '');
  const headers = isMapping(gms.extra_headers) ? importedHeaders(gms.extra_headers) : {};
  return {
    connection: { ...addresses, token, source: 'commandLineFile', headers },
    remarks: [...ofToken, ...remarksOf(parsed.output, token)],
  };
}

/** @returns undefined if the environment names no server. */
export function readCommandLineEnvironment(
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): CommandLineImport | undefined {
  const {
    DATAHUB_GMS_HOST: host,
    DATAHUB_GMS_PORT: port,
    DATAHUB_GMS_PROTOCOL: protocol,
    DATAHUB_GMS_URL: url,
    DATAHUB_GMS_TOKEN = '',
  } = environment;
  // In the command's own order.
  const server = host && port ? `${protocol || 'http'}://${host}:${port}` : url || host || '';
  const addresses = commandLineAddresses(server);
  if (addresses === undefined) {
    return undefined;
  }
  const { token, remarks } = importedToken(DATAHUB_GMS_TOKEN);
  return { connection: { ...addresses, token, source: 'commandLineEnvironment', headers: {} }, remarks };
}

type Addresses = Pick<ImportedConnection, 'baseUrl' | 'otherBaseUrls'>;

/** @returns undefined if the text is no address. */
function commandLineAddresses(text: string): Addresses | undefined {
  const found = candidateAddresses(text);
  const longestFirst = 'problem' in found ? [] : found.toSorted((a, b) => b.length - a.length);
  const [baseUrl, ...otherBaseUrls] = longestFirst;
  return baseUrl === undefined ? undefined : { baseUrl, otherBaseUrls };
}

/** The address in place of the token would be masked as a secret wherever it's shown. */
function importedToken(text: string): Pick<ImportedConnection, 'token'> & Pick<CommandLineImport, 'remarks'> {
  const token = pastedToken(text);
  if (hasExpired(token, Date.now())) {
    return { token: undefined, remarks: [expiredFailure().message] };
  }
  return pastedTokenProblem(text) === undefined
    ? { token: token || undefined, remarks: [] }
    : { token: undefined, remarks: [l10n.t("The token isn't a valid access token, so it won't be imported.")] };
}

function remarksOf({ gms }: v.InferOutput<typeof CONTENT>, token: string | undefined): string[] {
  const hasCertificates = [gms.ca_certificate_path, gms.client_certificate_path, gms.client_key_path].some(isPresent);
  return [
    ...(token === undefined && isPresent(gms.auth)
      ? [l10n.t('The file names an authentication provider ("auth") instead of a token, so no token is imported.')]
      : []),
    ...(hasCertificates ? [l10n.t("The certificates it names aren't used.")] : []),
  ];
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface OwnFile {
  readonly text: string;
  /** Undefined unless the path is a link. */
  readonly target: string | undefined;
}

async function readOwnFile(path: string): Promise<OwnFile> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink();
    return { text: await readFile(path, 'utf8'), target: isLink ? await realpath(path) : undefined };
  } catch (thrown) {
    throw (thrown as NodeJS.ErrnoException).code === 'ENOENT'
      ? importFailure(l10n.t('There is no {0}. The command "datahub init" creates it.', COMMAND_LINE_FILE))
      : importFailure(l10n.t("Couldn't read {0}.", COMMAND_LINE_FILE));
  }
}

function importFailure(text: string): ServiceFailure {
  return new ServiceFailure('storage', text, { headline: l10n.t("Can't import") });
}
