/** The entry of the overview's page. */
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet
import './overview.css';
import { HostLink } from '../../webview/page/hostLink.ts';
import { parseHostMessage, type HostMessage, type PageMessage } from '../protocol.ts';
import { IndexOverview } from './indexOverview.ts';

customElements.define('index-overview', IndexOverview);

const overview = new IndexOverview(new HostLink<PageMessage, HostMessage>(acquireVsCodeApi(), parseHostMessage));
overview.className = 'page wide';
document.body.append(overview);
