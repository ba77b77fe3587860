export { clientTitle } from '../../../shared/model/client/client-title.ts';
