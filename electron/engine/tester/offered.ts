import type { Completion, OfferedItem, OfferedItems } from '../../../shared/model/tool/tester.ts';
import type { Catalogue, RawItem } from '../catalogue/contract.ts';

/** Returns the prompts, resources and templates that a server listed last. */
export function offeredItems({ servers, off }: Catalogue, serverKey: string): OfferedItems {
  const offer = [...servers, ...off].find(({ key }) => key === serverKey)?.offer;
  return {
    prompts: (offer?.prompts ?? []).flatMap((item) => offered(item, item.name)),
    resources: (offer?.resources ?? []).flatMap((item) => offered(item, item.uri)),
    templates: (offer?.resourceTemplates ?? []).flatMap((item) => offered(item, item.uriTemplate)),
    completes: offer?.capabilities.completions !== undefined,
  };
}

/** Reads the answer to `completion/complete`; ignores invalid parts. */
export function readCompletion(result: unknown): Completion {
  const { completion } = (result ?? {}) as { readonly completion?: Readonly<Record<string, unknown>> };
  const { values, total, hasMore } = completion ?? {};
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  return { values: texts, hasMore: hasMore === true, ...(typeof total === 'number' ? { total } : {}) };
}

function offered(item: RawItem, name: unknown): readonly OfferedItem[] {
  if (typeof name !== 'string') return [];
  const { description } = item;
  // A resource without a title is shown by its name.
  const title = textOf(item.title) ?? (name === item.name ? undefined : textOf(item.name));
  return [
    {
      name,
      ...(title === undefined ? {} : { title }),
      ...(typeof description === 'string' ? { description } : {}),
      definition: { ...item },
    },
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
