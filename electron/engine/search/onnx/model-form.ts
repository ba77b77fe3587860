/** A tensor's metadata from the runtime. */
export interface TensorInfo {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
}

/** Inputs and output of a model. */
export interface ModelSignature {
  readonly inputs: readonly { readonly name: InputName; readonly isLong: boolean }[];
  readonly output: string;
  /** True for models of static word vectors, which take concatenated texts and their offsets. */
  readonly isFlat: boolean;
}

const inputNames = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids', 'offsets'] as const;
export type InputName = (typeof inputNames)[number];

/** Prefers a vector of the whole text to token vectors, since the model pools best. */
const outputNames = [
  'sentence_embedding',
  'last_hidden_state',
  'token_embeddings',
  'embeddings',
  'text_embeds',
];

/** Returns the form of a text embedding model, or why it is not one. */
export function signatureOf(
  inputs: readonly TensorInfo[],
  outputs: readonly TensorInfo[],
): ModelSignature | { readonly why: string } {
  const unknown = inputs.find(({ name }) => !isInputName(name));
  if (unknown !== undefined)
    return { why: `it needs an input "${unknown.name}", which sentence embedding models do not have` };
  if (!inputs.some(({ name }) => name === 'input_ids')) return { why: 'it has no input "input_ids"' };
  const nonInteger = inputs.find(({ type }) => type !== 'int64' && type !== 'int32');
  if (nonInteger !== undefined) return { why: `its input "${nonInteger.name}" does not take integers` };
  const output = chosenOutput(outputs);
  if (output === undefined)
    return {
      why: `none of its outputs is a text embedding (${outputs.map(({ name }) => name).join(', ')})`,
    };
  if (output.type !== 'float32') return { why: `its output "${output.name}" is not float32` };
  const named = inputs.flatMap(({ name, type }) =>
    isInputName(name) ? [{ name, isLong: type === 'int64' }] : [],
  );
  return { inputs: named, output: output.name, isFlat: named.some(({ name }) => name === 'offsets') };
}

function chosenOutput(outputs: readonly TensorInfo[]): TensorInfo | undefined {
  for (const name of outputNames) {
    const output = outputs.find((one) => one.name === name);
    if (output !== undefined) return output;
  }
  return outputs.length === 1 ? outputs[0] : undefined;
}

function isInputName(name: string): name is InputName {
  return (inputNames as readonly string[]).includes(name);
}
