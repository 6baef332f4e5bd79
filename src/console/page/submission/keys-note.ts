import { html, type Markup } from '../../../lib/html.ts'
import { may } from '../may.ts'
import type { AccountPageCall } from '../page.ts'

/** Which keys the script heeds, and how to have it heed none (WCAG 2.2, criterion 2.1.4). Shown by the script alone. */
export const keysNote = (
  call: AccountPageCall,
): Markup => html`<details id="keys" class="keys" hidden><summary>Keys</summary>
<ul class="plain"><li><kbd>j</kbd> <kbd>k</kbd> the next one, the one before</li><li><kbd>Enter</kbd> opens it</li>${
  may(call, 'release') ? html`<li><kbd>e</kbd> done with it</li>` : null
}<li><kbd>/</kbd> search</li><li><kbd>?</kbd> these keys</li></ul>
<label class="inline"><input type="checkbox" id="keys-on" checked> Heed these keys</label></details>`
