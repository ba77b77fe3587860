/**
 * Every request that any client made, with all that ended it. An end is an answer (`result`, `error`), or, for a
 * connection that was cut, its end (`cut`); a request that its client took back may have none.
 */
export class Requests {
  #all = [];
  #violations = [];
  #journal;

  constructor(journal) {
    this.#journal = journal;
  }

  get all() {
    return this.#all;
  }

  get violations() {
    return this.#violations;
  }

  open(facts) {
    const request = { ...facts, sentAt: Date.now(), ends: [] };
    this.#all.push(request);
    const { call, client, method, server, tool, id } = request;
    this.#journal.note('request', { call, client, method, server, tool, id });
    return request;
  }

  end(request, end) {
    request.ends.push({ ...end, at: Date.now() });
    // Texts of megabytes among them.
    request.params = undefined;
    this.#journal.note('end', { call: request.call, ...end });
  }

  cancel(request) {
    request.cancelledAt = Date.now();
    request.params = undefined;
    this.#journal.note('cancel', { call: request.call });
  }

  /** Something that must never happen has been seen. */
  violate(rule, detail, call) {
    this.#violations.push({ rule, detail, call });
    this.#journal.note('violation', { rule, detail, call });
  }

  pending() {
    return this.#all.filter(({ ends, cancelledAt }) => ends.length === 0 && cancelledAt === undefined);
  }
}
