import type { OpenApiDocument } from './document.ts';
import { exampleOf } from './example.ts';

/** Renders the OpenAPI document as a page without scripts or external resources. */
export function docsPage({ info, paths = {}, components, tags = [] }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item?.[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name));
    return own.length === 0
      ? ''
      : `<section><h2>${text(name)}</h2><p>${prose(description ?? '')}</p>${own.map((one) => operationHtml(one, components)).join('')}</section>`;
  });
  const schemas = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) =>
      `<details id="${text(name)}"><summary><code>${text(name)}</code></summary>${json(schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(info.title)} API</title><style>${style}</style></head><body><main>
<h1>${text(info.title)} API <small>${text(info.version)}</small></h1>
<p>${prose(info.description ?? '')}</p>
<p>Machine-readable: <a href="/openapi.json">/openapi.json</a>. Send a token as <code>Authorization: Bearer …</code>.</p>
${sections.join('\n')}
<section><h2>schemas</h2>${schemas.join('\n')}</section>
</main></body></html>`;
}

type Operation = {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
  readonly responses?: Readonly<Record<string, unknown>>;
};

const methods = ['get', 'post', 'patch', 'delete'] as const;

interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function operationHtml(
  { path, method, operation }: Placed,
  components: OpenApiDocument['components'],
): string {
  const { summary = '', description = '', parameters = [], requestBody, responses = {} } = operation;
  const answers = Object.entries(responses).map(([status, answer]) => {
    const { description: meaning = '', content } = answer as { description?: string; content?: Content };
    return `<tr><td>${text(status)}</td><td>${prose(meaning)}</td><td>${schemaName(content)}</td></tr>`;
  });
  const body = (requestBody as { readonly content?: Content } | undefined)?.content;
  return `<details><summary><b class="${method}">${method.toUpperCase()}</b> <code>${text(path)}</code> ${prose(summary)}</summary>
${description === '' ? '' : `<p>${prose(description)}</p>`}
${parameters.length === 0 ? '' : `<h4>Parameters</h4><ul>${parameters.map(parameterHtml).join('')}</ul>`}
${body === undefined ? '' : `<h4>Body</h4>${schemaName(body)}${exampleHtml(body, components)}`}
<h4>Responses</h4><table>${answers.join('')}</table></details>`;
}

type Content = Readonly<Record<string, { readonly schema?: unknown }>>;

function parameterHtml(parameter: unknown): string {
  const { name, in: place, required, description } = parameter as Readonly<Record<string, unknown>>;
  const note = typeof description === 'string' ? `: ${prose(description)}` : '';
  return `<li><code>${text(String(name))}</code> (${text(String(place))}${required === true ? ', required' : ''})${note}</li>`;
}

function exampleHtml(content: Content, components: OpenApiDocument['components']): string {
  const schema = content['application/json']?.schema;
  return schema === undefined
    ? ''
    : `<p>For example:</p>${json(exampleOf(schema, components?.schemas ?? {}))}`;
}

function schemaName(content: Content | undefined): string {
  const [entry] = Object.entries(content ?? {});
  if (entry === undefined) return '';
  const [type, { schema }] = entry;
  const reference = (schema as { readonly $ref?: string } | undefined)?.$ref;
  const name = reference?.split('/').at(-1);
  if (name !== undefined) return `<a href="#${text(name)}"><code>${text(name)}</code></a>`;
  return type === 'application/json' ? json(schema) : `<code>${text(type)}</code>`;
}

function json(value: unknown): string {
  return `<pre>${text(JSON.stringify(value, undefined, 2) ?? '')}</pre>`;
}

/** Formats text in backticks as code. */
function prose(value: string): string {
  return text(value).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:0 auto;padding:1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{overflow:auto;padding:.5rem;border:1px solid #8886;border-radius:6px}
details{border:1px solid #8886;border-radius:6px;margin:.4rem 0;padding:.4rem .6rem}summary{cursor:pointer}
td{padding:.15rem .6rem .15rem 0;vertical-align:top}table{border-collapse:collapse}h2{margin-top:2rem}`;
