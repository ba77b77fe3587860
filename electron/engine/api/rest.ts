import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Disposable } from '../base/emitter.ts';
import { endAfterRequest } from '../base/end-after-request.ts';
import type { Logger } from '../base/logger.ts';
import { isApiPath } from './api-path.ts';
import type { Api, ApiPorts } from './contract.ts';

/** Connects the API to the hub. */
export interface Connect {
  /** Loads the code of the ports. */
  load(): Promise<unknown>;
  /** Resolves once the hub runs, a moment after its endpoint is open. */
  ports(): Promise<ApiPorts & Disposable>;
}

/** The REST API of the HTTP endpoint. It is loaded while a hub opens and created on the first request. */
export class Rest implements Disposable {
  readonly #connect: Connect;
  readonly #log: Logger;
  #api: Promise<Api & { readonly ports: Disposable }> | undefined;
  #isOver = false;

  constructor(log: Logger, connect: Connect) {
    this.#log = log;
    this.#connect = connect;
  }

  handles(pathname: string): boolean {
    return isApiPath(pathname);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isOver) {
      refuse(response);
      return;
    }
    this.#api ??= this.#load();
    this.#api
      .then((api) => api.handle(request, response))
      .catch((error: unknown) => {
        this.#failed(error);
        refuse(response);
      });
  }

  preload(): void {
    Promise.all([loadApi(), this.#connect.load()]).catch((error: unknown) => this.#failed(error));
  }

  forbid(response: ServerResponse, sentence: string): void {
    answer(response, 403, {
      error: `${sentence}.`,
      error_type: 'AuthorizationError',
      code: 'foreign_origin',
    });
  }

  dispose(): void {
    this.#isOver = true;
    this.#api?.then(
      (api) => {
        api.dispose();
        api.ports.dispose();
      },
      () => undefined,
    );
  }

  async #load(): Promise<Api & { readonly ports: Disposable }> {
    const { createApi } = await loadApi();
    const ports = await this.#connect.ports();
    return { ...createApi(ports), ports };
  }

  #failed(error: unknown): void {
    this.#api = undefined;
    this.#log.log('error', 'The REST API cannot be loaded', { error: String(error) });
  }
}

const loadApi = () => import('./create-api.ts');

function refuse(response: ServerResponse): void {
  const error = 'The REST API is not available right now.';
  const body = { error, error_type: 'ServiceUnavailableError', code: 'hub.unreachable' };
  answer(response, 503, body);
}

function answer(response: ServerResponse, status: number, body: Readonly<Record<string, string>>): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': length,
    'cache-control': 'no-store',
  });
  endAfterRequest(response, text);
}
