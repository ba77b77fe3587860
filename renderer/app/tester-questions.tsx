import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand/react';
import { followTester } from '../command/tester-actions.ts';
import { useModel } from '../store/model-context.tsx';

const QuestionDialog = lazy(() =>
  import('../feature/tester/question-dialog.tsx').then((module) => ({ default: module.ServerRequestDialog })),
);

/** Shows questions that servers ask during tester runs, in any view, one at a time. */
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
