import { useEffect } from 'react';
import { useModel } from '../../store/model-context.tsx';

/** Makes the engine sample processes only while `shown` is true and the window is visible. */
export function useProcessWatch(shown: boolean): void {
  const { link } = useModel();
  useEffect(() => {
    if (!shown) return;
    const set = (on: boolean) => void link.call('process.watch', { on });
    const follow = () => set(document.visibilityState === 'visible');
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      set(false);
    };
  }, [link, shown]);
}
