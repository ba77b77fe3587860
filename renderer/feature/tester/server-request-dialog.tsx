import { Button, Textarea, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { TestQuestion } from '../../../shared/model/tool/tester.ts';
import { replyTo } from '../../command/tester-actions.ts';
import { useModel, useServerTitle } from '../../store/model-context.tsx';
import { Dialog, DialogFoot } from '../../ui/dialog/dialog.tsx';
import { Disclosure } from '../../ui/dialog/disclosure.tsx';
import { JsonTree } from '../../ui/json/json-tree.tsx';
import { toFormSchema } from './form/form-schema.ts';
import { readFormText } from './form/form-text.ts';
import { initialText } from './form/schema-form.tsx';
import { ArgumentsPane } from './run/arguments-pane.tsx';
import classes from './server-request-dialog.module.css';

type Params = Readonly<Record<string, unknown>>;

/** Asks the user to answer a server's request during a run. */
export function ServerRequestDialog({ question }: { question: TestQuestion }) {
  const params = useMemo(() => readParams(question.text), [question.text]);
  return question.kind === 'elicitation' ? (
    <Elicitation question={question} params={params} />
  ) : (
    <Sampling question={question} params={params} />
  );
}

interface RequestProps {
  readonly question: TestQuestion;
  readonly params: Params;
}

/** Shows a form requested by the server. */
function Elicitation({ question, params }: RequestProps) {
  const model = useModel();
  const { questionId, serverKey } = question;
  const drawn = useMemo(() => toFormSchema(params.requestedSchema), [params]);
  const [text, setText] = useState(() => (drawn.kind === 'form' ? initialText(drawn.schema) : '{}'));
  const [editor, setEditor] = useState<'form' | 'json'>('form');
  const isWhole = readFormText(text).kind === 'object';
  const send = (result: string) =>
    void replyTo(model, { questionId, reply: { kind: 'result', text: result } });
  return (
    <Dialog
      title={`${useServerTitle(serverKey)} asks`}
      size={560}
      onClose={() => send('{"action":"cancel"}')}
    >
      <div className={classes.body}>
        <p className={classes.message}>{String(params.message ?? '')}</p>
        <p className="dim tiny">
          This question comes from the server. Never enter a password or other secret.
        </p>
        <ArgumentsPane
          schema={params.requestedSchema}
          form={drawn}
          text={text}
          editor={editor}
          hasRun={false}
          onText={setText}
          onEditor={setEditor}
          title="Your answer"
        />
      </div>
      <DialogFoot>
        <Button
          variant="default"
          onClick={() => void replyTo(model, { questionId, reply: { kind: 'refuse' } })}
        >
          Decline
        </Button>
        <Button
          disabled={!isWhole}
          onClick={() => send(`{"action":"accept","content":${text.trim() || '{}'}}`)}
        >
          Send
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

/** Shows a sampling request; the user writes the model's answer or declines. */
function Sampling({ question, params }: RequestProps) {
  const model = useModel();
  const { questionId, serverKey, text: requestText } = question;
  const [answerText, setSaid] = useState('');
  const [name, setName] = useState('person');
  const [isOpen, setOpen] = useState(false);
  const refuse = () => void replyTo(model, { questionId, reply: { kind: 'refuse' } });
  const answer = () => {
    const result = {
      role: 'assistant',
      content: { type: 'text', text: answerText },
      model: name,
      stopReason: 'endTurn',
    };
    void replyTo(model, { questionId, reply: { kind: 'result', text: JSON.stringify(result) } });
  };
  return (
    <Dialog title={`${useServerTitle(serverKey)} requests a model response`} size={620} onClose={refuse}>
      <div className={classes.body}>
        <p className="dim tiny">The tester has no model. Write the answer a model would give, or decline.</p>
        {typeof params.systemPrompt === 'string' && (
          <div className={classes.said}>
            <h3>System prompt</h3>
            <p>{params.systemPrompt}</p>
          </div>
        )}
        {messagesOf(params).map(({ key, role, text }) => (
          <div key={key} className={classes.said}>
            <h3>{role}</h3>
            <p>{text}</p>
          </div>
        ))}
        <Disclosure
          title="Request as JSON"
          summary="The full request from the server"
          open={isOpen}
          onOpen={setOpen}
        >
          <JsonTree text={requestText} label="Sampling request" />
        </Disclosure>
        <Textarea
          label="Answer"
          autosize
          minRows={3}
          maxRows={12}
          data-autofocus
          value={answerText}
          onChange={(event) => setSaid(event.currentTarget.value)}
        />
        <TextInput label="Model name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
      </div>
      <DialogFoot>
        <Button variant="default" onClick={refuse}>
          Decline
        </Button>
        <Button disabled={answerText === '' || name === ''} onClick={answer}>
          Answer
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

function messagesOf({ messages }: Params) {
  return (Array.isArray(messages) ? messages : []).map((message: Params, index) => {
    const { role, content } = message ?? {};
    const text = (content as Params | undefined)?.text;
    return {
      key: index,
      role: String(role ?? ''),
      text: typeof text === 'string' ? text : JSON.stringify(content),
    };
  });
}

function readParams(text: string): Params {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Params) : {};
}
