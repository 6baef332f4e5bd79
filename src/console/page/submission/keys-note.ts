import { html, type Markup } from '../../../lib/html.ts'
import { may } from '../may.ts'
import type { AccountPageCall } from '../page.ts'

/** The script's keys, and a way to turn them off (WCAG 2.2, criterion 2.1.4). Only the script shows this. */
export const keysNote = (
  call: AccountPageCall,
): Markup => html`<details id="keys" class="keys" hidden><summary>Keys</summary>
<ul class="plain"><li><kbd>j</kbd> <kbd>k</kbd> next, previous</li><li><kbd>Enter</kbd> open</li>${
  may(call, 'release') ? html`<li><kbd>e</kbd> mark as done</li>` : null
}<li><kbd>/</kbd> search</li><li><kbd>?</kbd> show these keys</li></ul>
<label class="inline"><input type="checkbox" id="keys-on" checked> Use these keys</label></details>`
