import { useDidUpdate } from '@mantine/hooks';

/** When another view is opened from within the one that goes, the keyboard is at the new one's beginning, not nowhere. */
export function useFocusInView(view: string): void {
  useDidUpdate(() => {
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body) return;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [view]);
}
