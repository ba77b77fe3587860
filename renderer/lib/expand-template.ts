/** Returns the variable names of a URI template, in order. */
export function templateVariables(template: string): readonly string[] {
  const names = expressions(template).flatMap(({ variables }) => variables.map(({ name }) => name));
  return [...new Set(names)];
}

/** Expands a URI template (RFC 6570); variables without a value are omitted, as the standard says. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_all, operator: string, list: string) =>
    expanded(operator, variablesOf(list), values),
  );
}

interface Variable {
  readonly name: string;
  readonly maxLength: number | undefined;
}

const expression = /\{([+#./;?&]?)([^{}]+)\}/g;

function expressions(template: string) {
  return [...template.matchAll(expression)].map(([, operator = '', list = '']) => ({
    operator,
    variables: variablesOf(list),
  }));
}

function variablesOf(list: string): readonly Variable[] {
  return list.split(',').map((part) => {
    const [name = '', longest] = part.trim().replace(/\*$/, '').split(':');
    return { name, longest: longest === undefined ? undefined : Number(longest) };
  });
}

function expanded(
  operator: string,
  variables: readonly Variable[],
  values: Readonly<Record<string, string>>,
): string {
  const { first, between, isNamed } = operators.get(operator) ?? simple;
  const isRaw = operator === '+' || operator === '#';
  const parts = variables.flatMap(({ name, maxLength: longest }) => {
    const value = values[name];
    if (value === undefined || value === '') return [];
    const cut = longest === undefined ? value : value.slice(0, longest);
    const written = isRaw ? encodeURI(cut) : encodeURIComponent(cut);
    return [isNamed ? `${name}=${written}` : written];
  });
  return parts.length === 0 ? '' : first + parts.join(between);
}

interface Operator {
  readonly first: string;
  readonly between: string;
  readonly isNamed: boolean;
}

const simple: Operator = { first: '', between: ',', isNamed: false };

const operators: ReadonlyMap<string, Operator> = new Map([
  ['', simple],
  ['+', simple],
  ['#', { first: '#', between: ',', isNamed: false }],
  ['.', { first: '.', between: '.', isNamed: false }],
  ['/', { first: '/', between: '/', isNamed: false }],
  [';', { first: ';', between: ';', isNamed: true }],
  ['?', { first: '?', between: '&', isNamed: true }],
  ['&', { first: '&', between: '&', isNamed: true }],
]);
