/** A phrase that malicious tools have used to address the model behind the user's back. */
export interface PhraseFinding {
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

/** Returns the first match of each kind. Expects a text without hidden characters. */
export function instructionPhrases(text: string): readonly PhraseFinding[] {
  return phrases.flatMap(({ pattern, what }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [{ start: found.index, end: found.index + found[0].length, what }];
  });
}

const phrases: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  {
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|other|all|any|system|safety)\b.{0,30}\b(?:instruction|prompt|rule|message|guideline|direction|restriction)s?\b/is,
    what: 'asks to ignore other instructions',
  },
  {
    pattern:
      /\b(?:do not|don['’]?t|never|without|avoid)\b.{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|show|showing|reveal|revealing|alert|alerting|disclose|disclosing|ask|asking)\b.{0,40}\buser\b/is,
    what: 'asks to keep something from the user',
  },
  {
    pattern: /<\/?\s*(?:system|important|instructions?|assistant|hidden|secret|admin)\b[^>]{0,40}>/i,
    what: 'marks words as if they came from the system',
  },
  {
    pattern: /\[\/?(?:system|inst|important)\]|<\|im_(?:start|end)\|>|^[ \t]*(?:system|assistant)[ \t]*:/im,
    what: 'imitates a message of another role',
  },
  {
    pattern:
      /(?:~|\$HOME|%USERPROFILE%|\/home\/\w+|\/root)?[\\/]?\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)\b|\.aws[\\/]credentials|[\\/]etc[\\/](?:passwd|shadow)|\.(?:netrc|npmrc|pgpass)\b|\bclaude_desktop_config\b|\.cursor[\\/]mcp\.json|\b(?:wallet\.dat|login\.keychain)\b/i,
    what: 'names a file that contains secrets',
  },
  {
    pattern:
      /\b(?:before|instead of|prior to)\b.{0,20}\b(?:using|calling|invoking|running|executing)\b.{0,20}\b(?:any|all|every|other)\b.{0,15}\btools?\b/is,
    what: 'wants to come before other tools',
  },
  {
    pattern:
      /\b(?:send|post|forward|upload|include|append|pass|attach|provide)\b.{0,60}\b(?:conversation|chat history|system prompt|previous messages?|private keys?|contents? of)\b/is,
    what: 'asks for the conversation, the prompt or a file as an argument',
  },
];
