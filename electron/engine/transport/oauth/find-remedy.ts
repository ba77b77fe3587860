import { type Clock, delay } from '../../base/clock.ts';
import type { Fetch } from '../http-client/http-connections.ts';
import { serverUrl } from '../http-client/http-problem.ts';
import { needsClientId } from './client.ts';
import type { AuthChallenge, OAuthServer } from './contract.ts';
import { type DiscoverOptions, discover, findOtherService } from './discover.ts';
import { issuerOf, type NamedService } from './issuer.ts';
import { IssuerChangedError } from './sign-in-problem.ts';

interface Ports {
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Finds out what would give the user access, if the server says so in time. */
export async function findRemedy(
  server: OAuthServer,
  challenge: AuthChallenge,
  ports: Ports,
): Promise<'key' | 'client-id' | 'sign-in'> {
  const discovered = await inTime(discover(discovery(server, challenge, ports)), ports);
  if (discovered === undefined) return 'sign-in';
  const isDescribed = discovered.metadata !== undefined || discovered.resource !== undefined;
  if (!isDescribed && challenge.resourceMetadataUrl === undefined) return 'key';
  return needsClientId(discovered, server.options) ? 'client-id' : 'sign-in';
}

/** Finds out whether the server refuses the tokens of a service because it relies on another one now. */
export async function findIssuerChange(
  server: OAuthServer,
  service: NamedService,
  challenge: AuthChallenge | undefined,
  ports: Ports,
): Promise<IssuerChangedError | undefined> {
  const issuer = issuerOf(service);
  const other = await inTime(findOtherService(discovery(server, challenge, ports), issuer), ports);
  return other === undefined ? undefined : new IssuerChangedError(issuer, other);
}

function discovery(
  { url }: OAuthServer,
  { resourceMetadataUrl }: Partial<AuthChallenge> = {},
  { fetch }: Ports,
): DiscoverOptions {
  return {
    url: serverUrl(url),
    fetch,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
  };
}

/** Resolves to undefined if discovery fails or takes too long. */
function inTime<T>(asking: Promise<T>, { clock }: Ports): Promise<T | undefined> {
  const late = delay(clock, timeoutMs).then(() => undefined);
  return Promise.race([asking.catch(() => undefined), late]);
}

const timeoutMs = 10_000;
