import { resultsOf } from './session.mjs';

const unknownMethod = { code: -32601, message: 'Method not found' };

/**
 * A server with these oddities, each of another answer. Yields the JSON texts of its answers to a message, none where it
 * says nothing, and how long it thinks, in milliseconds.
 */
export function createOddServer(key, mutants) {
  const results = resultsOf(key);
  const deliveries = new Map(mutants.map((mutant) => [mutant.method, mutant.delivery]));
  for (const { method, change } of mutants) results[method] = change(results[method]);

  return function answer({ id, method, params }) {
    if (id === undefined || method === undefined) return { texts: [], delay: 0 };
    const odd = deliveries.get(method);
    const listed = params?.cursor === undefined ? results[method] : lastPage(results[method]);
    if (odd === 'silent') return { texts: [], delay: 0, silent: true };
    return { texts: textsOf(id, listed, odd), delay: odd === 'slow' ? 300 : 0 };
  };
}

/** The second page of a list is empty. */
function lastPage(result) {
  const [name] = Object.keys(result).filter((member) => Array.isArray(result[member]));
  return { [name]: [] };
}

function textsOf(id, result, odd) {
  if (result === undefined) return [JSON.stringify({ jsonrpc: '2.0', id, error: unknownMethod })];
  const whole = JSON.stringify({ jsonrpc: '2.0', id, result });
  switch (odd) {
    case 'twice':
      return [whole, whole];
    case 'text-id':
      return [JSON.stringify({ jsonrpc: '2.0', id: String(id), result })];
    case 'decimal-id':
      return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)}.0,"result":${JSON.stringify(result)}}`];
    case 'list-id':
      return [JSON.stringify({ jsonrpc: '2.0', id: [id], result })];
    case 'object-id':
      return [JSON.stringify({ jsonrpc: '2.0', id: { value: id, text: '' }, result })];
    case 'no-id':
      return [JSON.stringify({ jsonrpc: '2.0', result })];
    case 'no-jsonrpc':
      return [JSON.stringify({ id, result })];
    case 'old-jsonrpc':
      return [JSON.stringify({ jsonrpc: 2, id, result })];
    case 'null-error':
      return [JSON.stringify({ jsonrpc: '2.0', id, result, error: null })];
    case 'extra-members':
      return [JSON.stringify({ extra: [1], id, method: undefined, result, jsonrpc: '2.0', also: null })];
    case 'batch':
      return [`[${whole}]`];
    case 'bom':
      return [`\ufeff ${whole}`];
    case 'refused':
      return [JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Not today' } })];
    case 'odd-refusal':
      return [JSON.stringify({ jsonrpc: '2.0', id, error: { code: 'ENOTODAY' } })];
    default:
      return [whole];
  }
}
