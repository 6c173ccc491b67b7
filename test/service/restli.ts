import { isRecord } from '../../tools/json.ts';
import { json, type Reply } from './http.ts';

/** An operation that ends with an HTTP status and the error body of the Rest.li framework. */
export class RestLiError extends Error {
  readonly status: number;
  /** The framework refused the request before the operation ran. Only then a header says so, too. */
  readonly isOfFramework: boolean;

  constructor(status: number, message: string, isOfFramework = false) {
    super(message);
    this.status = status;
    this.isOfFramework = isOfFramework;
  }
}

/** The framework's refusal of a request that it can't take. */
export function frameworkError(message: string, status = 400): RestLiError {
  return new RestLiError(status, message, true);
}

const protocolVersion = { 'x-restli-protocol-version': '1.0.0' };

export function restLiValue(value: unknown): Reply {
  return json(200, { value }, protocolVersion);
}

/** The error body with its stack trace, which clients must not show. */
export function restLiError({ status, message, isOfFramework }: RestLiError): Reply {
  const exceptionClass = 'com.linkedin.restli.server.RestLiServiceException';
  const place = 'com.linkedin.metadata.resources.operations.OperationsResource.java:1';
  const stackTrace = `${exceptionClass} [HTTP Status:${status}]: ${message}\n\tat ${place}\n`;
  const headers = isOfFramework ? { 'x-linkedin-error-response': 'true' } : { 'content-type': 'application/json' };
  const body = JSON.stringify({ exceptionClass, stackTrace, message, status });
  return { status, headers: { ...protocolVersion, ...headers }, body };
}

type ParameterType = 'String' | 'Boolean' | 'Integer' | 'Long';

/**
 * An action's typed parameters, read from its JSON body. Every refusal is a 400 in the framework's words. Fractions are
 * cut off, and a number that a Long can't hold counts as missing.
 */
export class ActionParameters {
  readonly #action: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(action: string, values: unknown) {
    if (!isRecord(values)) {
      throw frameworkError('Cannot parse request entity');
    }
    this.#action = action;
    this.#values = values;
  }

  required(name: string, type: 'String'): string;
  required(name: string, type: 'Long'): number;
  required(name: string, type: ParameterType): unknown {
    const value = this.#read(name, type);
    if (value === null) {
      throw new RestLiError(400, `Parameter '${name}' is required`);
    }
    return value;
  }

  text(name: string): string | null {
    return this.#read(name, 'String') as string | null;
  }

  flag(name: string): boolean | null {
    return this.#read(name, 'Boolean') as boolean | null;
  }

  whole(name: string, type: 'Integer' | 'Long'): number | null {
    return this.#read(name, type) as number | null;
  }

  /** Refuses parameters that the action does not know. */
  onlyKnown(names: readonly string[]): void {
    for (const name of Object.keys(this.#values)) {
      if (!names.includes(name)) {
        throw this.#invalid(name, 'unrecognized field found but not allowed');
      }
    }
  }

  #read(name: string, type: ParameterType): unknown {
    const value = this.#values[name];
    if (value === undefined) {
      return null;
    }
    if (!fits(value, type)) {
      throw this.#invalid(
        name,
        `${typeof value === 'string' ? value : JSON.stringify(value)} cannot be coerced to ${type}`,
      );
    }
    if (typeof value !== 'number') {
      return value;
    }
    return type === 'Integer' ? Math.trunc(value) | 0 : Math.abs(value) < 2 ** 63 ? Math.trunc(value) : null;
  }

  #invalid(name: string, problem: string): RestLiError {
    return frameworkError(
      `Parameters of method '${this.#action}' failed validation with error 'ERROR :: /${name} :: ${problem}\n'`,
    );
  }
}

function fits(value: unknown, type: ParameterType): boolean {
  return typeof value === (type === 'String' ? 'string' : type === 'Boolean' ? 'boolean' : 'number');
}
