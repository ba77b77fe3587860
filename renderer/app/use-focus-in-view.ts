import { useDidUpdate } from '@mantine/hooks';

/** Moves the focus to the start of a new view if the old view had it. */
export function useFocusInView(view: string): void {
  useDidUpdate(() => {
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body) return;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [view]);
}
