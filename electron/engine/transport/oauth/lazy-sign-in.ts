import type { Problem } from '../../../../shared/error/problem.ts';
import { serverUrl } from '../http-client/http-problem.ts';
import type { AuthChallenge, OAuthServer, RemoteAuthorization, SignInView } from './contract.ts';
import type { ServerSignIn, SignInPorts } from './server-sign-in.ts';
import { signInNeeded } from './sign-in-problem.ts';

/** Loads the sign-in code for one server on first use: the code is large, and most hubs never need it. */
export class LazySignIn implements RemoteAuthorization {
  readonly #server: OAuthServer;
  readonly #ports: SignInPorts;
  #loading: Promise<ServerSignIn> | undefined;
  #loaded: ServerSignIn | undefined;

  constructor(server: OAuthServer, ports: SignInPorts) {
    this.#server = server;
    this.#ports = ports;
  }

  view(): SignInView | undefined {
    return this.#loaded?.view();
  }

  problem(challenge: AuthChallenge, hadToken: boolean): Problem {
    return (
      this.#loaded?.problem(challenge, hadToken) ??
      signInNeeded(serverUrl(this.#server.url), challenge, hadToken)
    );
  }

  async diagnose(...refused: Parameters<RemoteAuthorization['diagnose']>): Promise<Problem> {
    return (await this.#open()).diagnose(...refused);
  }

  async token(): Promise<string | undefined> {
    return (await this.#open()).token();
  }

  async renew(refused: string | undefined, challenge: AuthChallenge): Promise<string | undefined> {
    return (await this.#open()).renew(refused, challenge);
  }

  async signIn(): Promise<{ readonly url: string }> {
    return (await this.#open()).signIn();
  }

  link(): string | undefined {
    return this.#loaded?.link();
  }

  unopened(): void {
    this.#loaded?.unopened();
  }

  async signOut(): Promise<void> {
    return (await this.#open()).signOut();
  }

  dispose(): void {
    this.#loaded?.dispose();
  }

  #open(): Promise<ServerSignIn> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<ServerSignIn> {
    const { ServerSignIn: Loaded } = await import('./server-sign-in.ts');
    this.#loaded = new Loaded(this.#server, this.#ports);
    return this.#loaded;
  }
}
