const string = (description, more = {}) => ({ type: 'string', description, ...more });
const titled = (...pairs) => pairs.map(([value, title]) => ({ const: value, title }));
const several = (description, items) => ({ type: 'array', description, minItems: 1, maxItems: 3, items });
const options = ['option1', 'option2', 'option3'];

/** Forms that the elicitation scenarios expect: SEP-1034 (defaults) and SEP-1330 (choices). */
export const forms = {
  response: { type: 'object', properties: { response: string("User's response") }, required: ['response'] },
  defaults: {
    type: 'object',
    properties: {
      name: string('User name', { default: 'John Doe' }),
      age: { type: 'integer', description: 'User age', default: 30 },
      score: { type: 'number', description: 'User score', default: 95.5 },
      status: string('User status', { enum: ['active', 'inactive', 'pending'], default: 'active' }),
      verified: { type: 'boolean', description: 'Verification status', default: true },
    },
    required: [],
  },
  enums: {
    type: 'object',
    properties: {
      untitledSingle: string('Select one option', { enum: options }),
      titledSingle: string('Select one option with titles', {
        oneOf: titled(['value1', 'First Option'], ['value2', 'Second Option'], ['value3', 'Third Option']),
      }),
      legacyEnum: string('Select one option (legacy)', {
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      }),
      untitledMulti: several('Select multiple options', { type: 'string', enum: options }),
      titledMulti: several('Select multiple options with titles', {
        anyOf: titled(['value1', 'First Choice'], ['value2', 'Second Choice'], ['value3', 'Third Choice']),
      }),
    },
    required: [],
  },
};
