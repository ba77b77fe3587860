import { optionalParts, resultsOf } from './session.mjs';

/**
 * @typedef {object} Mutant
 * @property {string} id says what is odd: method, path, change
 * @property {string} method the request whose answer is odd
 * @property {(result: object) => object} change makes the odd result
 * @property {Delivery} delivery how the answer is sent
 *
 * @typedef {'plain' | 'slow' | 'silent' | 'twice' | 'text-id' | 'decimal-id' | 'list-id' | 'object-id' | 'no-id' | 'no-jsonrpc' | 'old-jsonrpc' | 'null-error' |
 *   'extra-members' | 'batch' | 'refused' | 'odd-refusal' | 'bom'} Delivery
 */

const valueChanges = {
  drop: (_value, holder, name) => delete holder[name],
  null: (_value, holder, name) => {
    holder[name] = null;
  },
  empty: (value, holder, name) => {
    holder[name] = emptyOf(value);
  },
  'as in PHP': (value, holder, name) => {
    holder[name] = Array.isArray(value) ? {} : [];
  },
  'other type': (value, holder, name) => {
    holder[name] = otherTypeOf(value);
  },
  'other case': (value, holder, name) => {
    delete holder[name];
    holder[name.toUpperCase()] = value;
  },
  extra: (_value, holder) => {
    holder['x-compat'] = { deep: [null, ''] };
  },
};

/** How the answer to a request can be odd; `silent` and refusals only where the request asks for something optional. */
const deliveries = [
  'slow',
  'twice',
  'text-id',
  'decimal-id',
  'list-id',
  'object-id',
  'no-id',
  'no-jsonrpc',
  'old-jsonrpc',
  'null-error',
  'extra-members',
  'batch',
  'bom',
];
const optionalRequests = ['resources/list', 'resources/templates/list', 'prompts/list', 'ping'];

/** Every mutant there is, always in the same order. @returns {readonly Mutant[]} */
export function allMutants() {
  const ofMembers = Object.entries(optionalParts).flatMap(([method, paths]) =>
    paths.flatMap((path) =>
      Object.entries(valueChanges).map(([name, change]) => ({
        id: `${method} ${path}: ${name}`,
        method,
        change: (result) => changed(result, path, change),
        delivery: 'plain',
      })),
    ),
  );
  const methods = Object.keys(resultsOf(''));
  const ofDelivery = methods.flatMap((method) => {
    const all = [
      ...deliveries,
      ...(optionalRequests.includes(method) ? ['silent', 'refused', 'odd-refusal'] : []),
    ];
    return all.map((delivery) => ({
      id: `${method}: ${delivery}`,
      method,
      change: (result) => result,
      delivery,
    }));
  });
  return [...ofMembers, ...ofDelivery];
}

function changed(result, path, change) {
  const copy = structuredClone(result);
  const names = path.split('.');
  const last = names.pop();
  let holder = copy;
  for (const name of names) holder = holder[name];
  change(holder[last], holder, last);
  return copy;
}

function emptyOf(value) {
  if (Array.isArray(value)) return [];
  return { string: '', number: 0, boolean: false, object: {} }[typeof value];
}

function otherTypeOf(value) {
  if (Array.isArray(value)) return 'a text';
  return { string: 7, number: '7', boolean: String(value), object: 'a text' }[typeof value];
}
