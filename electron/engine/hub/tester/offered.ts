import type { Completion, OfferedItem, OfferedItems } from '../../../../shared/model/tester.ts';
import type { Catalogue, RawItem } from '../../catalogue/contract.ts';

/** What a server offers beside tools, as it was last listed. */
export function offeredItems({ servers, off }: Catalogue, serverKey: string): OfferedItems {
  const offer = [...servers, ...off].find(({ key }) => key === serverKey)?.offer;
  return {
    prompts: (offer?.prompts ?? []).flatMap((item) => offered(item, item.name)),
    resources: (offer?.resources ?? []).flatMap((item) => offered(item, item.uri)),
    templates: (offer?.resourceTemplates ?? []).flatMap((item) => offered(item, item.uriTemplate)),
    completes: offer?.capabilities.completions !== undefined,
  };
}

/** The answer to `completion/complete`, as far as it is one. */
export function readCompletion(result: unknown): Completion {
  const { completion } = (result ?? {}) as { readonly completion?: Readonly<Record<string, unknown>> };
  const { values, total, hasMore } = completion ?? {};
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  return { values: texts, hasMore: hasMore === true, ...(typeof total === 'number' ? { total } : {}) };
}

function offered(item: RawItem, name: unknown): readonly OfferedItem[] {
  if (typeof name !== 'string') return [];
  const { description } = item;
  // A resource's name is what it is called where it has no title.
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
