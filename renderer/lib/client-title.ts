export { clientTitle } from '../../shared/model/client-title.ts';
