/** Preloaded into programs of others: what listens on every address by default listens on loopback here. */
import { Server } from 'node:net';

const { listen } = Server.prototype;

Server.prototype.listen = function listenOnLoopback(...args) {
  const [first, ...rest] = args;
  if (typeof first === 'object' && first !== null && first.port !== undefined) {
    return listen.call(this, { ...first, host: '127.0.0.1' }, ...rest);
  }
  if (!Number.isInteger(Number(first)) || first === null) return listen.apply(this, args);
  const others = typeof rest[0] === 'string' ? rest.slice(1) : rest;
  return listen.call(
    this,
    { port: Number(first), host: '127.0.0.1' },
    ...others.filter((arg) => arg !== undefined),
  );
};
