import type { RJSFSchema } from '@rjsf/utils';
import type { OfferedItem, TestTarget } from '../../../../shared/model/tool/tester.ts';
import { expandTemplate, templateVariables } from '../../../lib/tool/expand-template.ts';
import type { TryTarget } from '../../../store/tester-store.ts';
import { readFormText } from '../form/form-text.ts';

type Definition = OfferedItem['definition'];

/** Returns the schema of the arguments; undefined for a resource, which has none. */
export function argumentsSchema({ kind, name }: TryTarget, definition: Definition): unknown {
  switch (kind) {
    case 'tool':
      return definition.inputSchema;
    case 'prompt':
      return promptSchema(definition);
    case 'template':
      return templateSchema(name);
    case 'resource':
      return undefined;
  }
}

/** Returns what a run sends. */
export function sentRun(
  { kind, serverKey, name }: TryTarget,
  text: string,
): { readonly target: TestTarget; readonly text: string } {
  if (kind !== 'template') return { target: { kind, serverKey, name }, text };
  return { target: { kind: 'resource', serverKey, name: addressOf(name, text) }, text: '' };
}

/** Expands a URI template with the filled-in values. */
export function addressOf(template: string, text: string): string {
  const read = readFormText(text);
  const values = read.kind === 'object' ? read.value : {};
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return expandTemplate(template, Object.fromEntries(texts));
}

/** Builds the schema of a prompt, whose arguments are always text. */
function promptSchema({ arguments: listed }: Definition): RJSFSchema {
  const all = (Array.isArray(listed) ? listed : []).filter(
    (one): one is { name: string; title?: string; description?: string; required?: boolean } =>
      typeof one?.name === 'string',
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(({ name, title, description }) => [
        name,
        {
          type: 'string',
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
        },
      ]),
    ),
    required: all.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function templateSchema(template: string): RJSFSchema {
  const names = templateVariables(template);
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
}
