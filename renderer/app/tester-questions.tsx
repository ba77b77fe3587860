import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand/react';
import { followTester } from '../command/tester-actions.ts';
import { useModel } from '../store/model-context.tsx';

const QuestionDialog = lazy(() =>
  import('../feature/tester/question-dialog.tsx').then((module) => ({ default: module.QuestionDialog })),
);

/** What servers ask during runs of the tester, wherever the person is by then; one question after the other. */
export function TesterQuestions() {
  const model = useModel();
  const question = useStore(model.tester, ({ questions }) => questions[0]);
  useEffect(() => followTester(model), [model]);
  if (question === undefined) return null;
  return (
    <Suspense fallback={null}>
      <QuestionDialog key={question.questionId} question={question} />
    </Suspense>
  );
}
