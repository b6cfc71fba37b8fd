import { type FieldError, Problem } from '../../../shared/problem.js';
import { type EndpointPolicy, webhookEndpointError } from '../../outbox/endpoint-policy.service.js';

/** How the service authenticates to a receiver. Secrets in plain text: stored encrypted, in no answer and no log. */
export type EndpointAuth =
  | { type: 'basic'; username: string; password: string }
  | { type: 'bearer'; token: string }
  | {
      type: 'oauth2_client_credentials';
      token_url: string;
      client_id: string;
      client_secret: string;
      scope?: string;
      audience?: string;
      /** RFC 8707. */
      resource?: string;
      /** Absent: `basic`. */
      client_authentication?: ClientAuthentication;
    };

/** Where a token request has the client's id and password: `client_secret_basic` and `client_secret_post` of RFC 7591. */
export const CLIENT_AUTHENTICATIONS = ['basic', 'body'] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

interface Rule {
  pattern: RegExp;
  /** Completes a sentence that begins with the name of the field. */
  message: string;
  isOptional?: true;
}

const rule = (pattern: RegExp, message: string): Rule => ({ pattern, message });

/** RFC 6749, appendix A. */
const VISIBLE = rule(/^[\x20-\x7e]{1,1024}$/, 'must be 1 to 1024 printable ASCII characters');
const SCOPE = rule(
  /^(?=.{1,1024}$)[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
  'must be scopes of printable ASCII characters without " and \\, separated by single spaces, 1024 at most',
);

/** RFC 8707, 2: an absolute URI (RFC 3986, 4.3). */
const RESOURCE = rule(
  /^(?=.{1,1024}$)[a-z][a-z0-9+.-]*:[\x21\x22\x24-\x7e]+$/i,
  'must be an absolute URI without a fragment, 1024 printable ASCII characters at most',
);

const RULES: { [T in EndpointAuth['type']]: Record<Exclude<keyof (EndpointAuth & { type: T }), 'type'>, Rule> } = {
  // RFC 7617: the first colon ends the name; neither has control characters
  basic: {
    username: rule(/^[^:\p{Cc}]{1,255}$/u, 'must be 1 to 255 characters without a colon or control characters'),
    password: rule(/^\P{Cc}{0,1024}$/u, 'must be at most 1024 characters without control characters'),
  },
  bearer: { token: rule(/^[\x21-\x7e]{1,4096}$/, 'must be 1 to 4096 printable ASCII characters without spaces') },
  oauth2_client_credentials: {
    token_url: rule(/^/, ''),
    client_id: VISIBLE,
    client_secret: VISIBLE,
    scope: { ...SCOPE, isOptional: true },
    audience: { ...VISIBLE, isOptional: true },
    resource: { ...RESOURCE, isOptional: true },
    client_authentication: {
      ...rule(/^(?:basic|body)$/, `must be one of ${CLIENT_AUTHENTICATIONS.join(', ')}`),
      isOptional: true,
    },
  },
};

export const AUTH_TYPES = Object.keys(RULES) as EndpointAuth['type'][];

/**
 * Checks the authentication of an endpoint, and returns it without other fields. Throws `validation_failed` for the
 * fields of `auth`; no message contains a value.
 */
export function parseEndpointAuth(auth: Readonly<Record<string, unknown>>, policy: EndpointPolicy): EndpointAuth {
  const type = AUTH_TYPES.find((name) => name === auth.type);
  if (type === undefined) throw problemOf([['type', `must be one of ${AUTH_TYPES.join(', ')}`]]);
  const rules = RULES[type] as Record<string, Rule>;
  const errors = Object.entries(auth).flatMap(([name, value]): [string, string][] => {
    const isKnown = name === 'type' || Object.hasOwn(rules, name);
    return isKnown || value === undefined || value === null ? [] : [[name, `is not a field of ${type}`]];
  });
  const parsed: Record<string, string> = { type };
  for (const [name, { isOptional, pattern, message }] of Object.entries(rules)) {
    const value = auth[name];
    const isAbsent = value === undefined || value === null;
    if (isOptional && isAbsent) continue;
    const error = name === 'token_url' ? webhookEndpointError(value) : undefined;
    if (error !== undefined) errors.push([name, error]);
    else if (typeof value !== 'string') errors.push([name, isAbsent ? 'is required' : 'must be a string']);
    else if (pattern.test(value)) parsed[name] = value;
    else errors.push([name, message]);
  }
  if (errors.length > 0) throw problemOf(errors);
  if (parsed.token_url !== undefined) policy.require(parsed.token_url, 'auth.token_url');
  return parsed as EndpointAuth;
}

function problemOf(errors: [string, string][]): Problem {
  const fields = errors.map(([name, message]): FieldError => ({ field: `auth.${name.slice(0, 64)}`, message }));
  return new Problem('validation_failed', { errors: fields });
}
