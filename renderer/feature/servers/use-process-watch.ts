import { useEffect } from 'react';
import { useModel } from '../../store/model-context.tsx';

/** Has the engine sample processes while `shown` is true and the window is visible, and not otherwise. */
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
