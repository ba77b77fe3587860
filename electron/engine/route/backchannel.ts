import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { ServerRequest, SupervisedServer, Supervisor } from '../supervise/contract.ts';
import { type Instances, noInstances } from '../supervise/instances-contract.ts';
import { answerServers } from './answer-servers.ts';
import { Arrivals } from './arrivals.ts';
import type { Backchannel, Caller } from './backchannel-contract.ts';
import { OwnServers } from './backchannel-own.ts';
import { SessionPart } from './backchannel-session.ts';
import { SharedServers } from './backchannel-shared.ts';
import type { QuestionListener } from './contract.ts';
import { deliverNotices } from './deliver-notices.ts';
import { Elicitations } from './elicitations.ts';
import { createFlights } from './flights.ts';
import type { Ledgers } from './ledgers.ts';
import { LogLevels } from './log-levels.ts';
import { formatLogMessage } from './log-message.ts';
import { QuestionBook } from './question-book.ts';
import { clientGone } from './question-errors.ts';
import { ServerUsers } from './server-users.ts';
import { Subscriptions } from './subscriptions.ts';
import { Tasks } from './tasks.ts';

type WatchedSupervisor = Pick<
  Supervisor,
  'servers' | 'onState' | 'onNotification' | 'onLateAnswer' | 'serveRequests'
>;

export interface BackchannelOptions {
  readonly supervisor: WatchedSupervisor;
  /** Per-session instances; none by default. */
  readonly instances?: Instances;
  readonly clock: Clock;
  /**
   * `one` means that the program serves a single client, which gets everything that servers send (default
   * `many`).
   */
  readonly clients?: 'one' | 'many';
  readonly questions?: QuestionListener;
}

/** Creates the routing of server messages to sessions; see {@link Backchannel}. */
export function createBackchannel(options: BackchannelOptions): Backchannel & Disposable {
  return new Exchange(options);
}

class Exchange implements Backchannel, Disposable {
  readonly #instances: Instances;
  readonly #clock: Clock;
  readonly #ledgers: Ledgers;
  readonly #shared: SharedServers;
  readonly #questions: QuestionBook;
  /** By session id. */
  readonly #own = new Map<string, OwnServers>();
  readonly #watched: readonly Disposable[];

  constructor(options: BackchannelOptions) {
    const { supervisor, instances = noInstances, clock, clients = 'many' } = options;
    this.#clock = clock;
    this.#instances = instances;
    this.#questions = new QuestionBook(clock, options.questions);
    this.#ledgers = {
      clients,
      flights: createFlights(clock),
      users: new ServerUsers(),
      levels: new LogLevels(),
      subscriptions: new Subscriptions(),
      elicitations: new Elicitations(),
      tasks: new Tasks(clock),
      arrivals: new Arrivals(clock),
      instances,
    };
    this.#shared = new SharedServers(this.#ledgers);
    this.#watched = [...this.#watchShared(supervisor), ...this.#watchInstances(instances)];
  }

  join(caller: Caller): SessionPart {
    const { sessionId } = caller;
    const own = new OwnServers(caller, this.#instances, this.#ledgers);
    this.#own.set(sessionId, own);
    const admitted = this.#instances.admit(caller);
    own.resume();
    const dispose = () => {
      if (this.#own.get(sessionId) === own) this.#own.delete(sessionId);
      admitted.dispose();
    };
    return new SessionPart({
      caller,
      own,
      clock: this.#clock,
      ledgers: this.#ledgers,
      shared: this.#shared,
      admission: { dispose },
    });
  }

  isInUse(id: string): boolean {
    if ([...this.#own.values()].some((own) => own.isInUse(id))) return true;
    const { subscriptions, tasks } = this.#ledgers;
    // Sessions have their subscriptions and tasks at their own instances of such a server.
    if (this.#instances.isolates(id)) return false;
    return subscriptions.urisOf(id).length > 0 || tasks.areAt(id);
  }

  dispose(): void {
    for (const subscription of this.#watched) subscription.dispose();
  }

  #watchShared(supervisor: WatchedSupervisor): readonly Disposable[] {
    const { flights, arrivals } = this.#ledgers;
    const answer = answerServers(this.#ledgers, this.#questions);
    for (const server of supervisor.servers.values()) this.#shared.follow(server);
    return [
      supervisor.onState(({ server }) => this.#shared.follow(server)),
      supervisor.onNotification(deliverNotices(this.#ledgers)),
      supervisor.onNotification(({ key, notification: { method, params } }) => {
        if (method !== 'notifications/message') return;
        supervisor.servers.get(key)?.log.append('server', formatLogMessage(params));
      }),
      supervisor.onLateAnswer(({ connection, id }) => flights.finished(connection, id)),
      supervisor.serveRequests((key, request) =>
        arrivals.asked(key, request, this.#questions.hear(key, request, answer(key, request))),
      ),
    ];
  }

  #watchInstances(instances: Instances): readonly Disposable[] {
    return [
      instances.onState(({ server }) => this.#ownerOf(server)?.follow(server)),
      instances.onNotification((notice) => this.#ownerOf(notice.server)?.deliver(notice)),
      instances.onLateAnswer(({ connection, id }) => this.#ledgers.flights.finished(connection, id)),
      instances.serveRequests((server, request) =>
        this.#ledgers.arrivals.asked(
          server.id,
          request,
          this.#questions.hear(server.key, request, this.#askOwner(server, request)),
        ),
      ),
    ];
  }

  async #askOwner(server: SupervisedServer, request: ServerRequest): Promise<unknown> {
    const owner = this.#ownerOf(server);
    if (owner === undefined || server.sessionId === undefined) throw clientGone(request.message.method);
    this.#questions.isFor(request, server.sessionId);
    return owner.ask(server, request);
  }

  #ownerOf({ sessionId = '' }: SupervisedServer): OwnServers | undefined {
    return this.#own.get(sessionId);
  }
}
