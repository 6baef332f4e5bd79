import { html, type Markup } from '../../../lib/html.ts'
import { instant } from '../../../report/instant.ts'
import type { StateOfSubmission } from '../../inbox/inbox-state.ts'
import { type Note, noteCharactersMax } from '../../inbox/notes.ts'
import { doneNote } from '../../look/notice.ts'
import { localTime } from '../local-time.ts'
import { may } from '../may.ts'
import type { AccountPageCall } from '../page.ts'
import { stateWords } from './inbox-query.ts'

/**
 * The submission's state, since when and by whom, with buttons for users who may change it.
 *
 * @param mailTo the sender's address; `null`: none that mail could go to
 */
export function stateLine(call: AccountPageCall, { state, at, by }: StateOfSubmission, mailTo: string | null): Markup {
  const since =
    at === null || by === null
      ? null
      : html` <span class="soft">by ${by.label}, ${localTime(instant(at), call.account.settings.timezone)}</span>`
  const buttons = may(call, 'release')
    ? html`${state === 'done' ? button('seen', 'Reopen') : button('done', 'Done')}${state === 'new' ? seeButton : button('new', 'Mark as new')}`
    : null
  return html`<div class="work"><p><span class="mark">${stateWords[state]}</span>${since}</p>${mailTo === null ? null : html`<a class="button" href="${mailHref(mailTo)}">Reply by mail</a>`}${buttons}</div>`
}

/** The address without anything that could add headers to the mail (RFC 6068, section 2). */
const mailHref = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`

const button = (to: string, text: string): Markup =>
  html`<form method="post"><input type="hidden" name="do" value="${to}"><button${to === 'done' ? html` id="mark-done"` : html` class="quiet"`}>${text}</button></form>`

/** The script sends this form as soon as somebody looks at the page: a GET alone changes nothing. */
const seeButton = html`<form method="post" id="see" data-seen="${stateWords.seen}"><input type="hidden" name="do" value="see"><button class="quiet">Mark as seen</button></form>`

/** The notes, with a form for another. */
export function notesPart(call: AccountPageCall, notes: readonly Note[]): Markup {
  const list = notes.length === 0 ? null : html`<ol class="notes">${notes.map((note) => noteItem(call, note))}</ol>`
  const form = may(call, 'release')
    ? html`<form method="post" class="write"><input type="hidden" name="do" value="note"><label for="note">New note</label><textarea id="note" name="text" rows="3" maxlength="${noteCharactersMax}" required></textarea><p class="do"><button>Save note</button></p></form>`
    : null
  const notice = call.notice?.place === 'notes' ? doneNote(call.notice.text) : null
  return html`<h2 id="notes">Notes</h2>${notice}${list ?? html`<p class="hint">No notes yet. Only you and your colleagues see them.</p>`}${form}`
}

const noteItem = (call: AccountPageCall, { id, at, by, text }: Note): Markup =>
  html`<li><p class="soft">${by.label}, ${localTime(instant(at), call.account.settings.timezone)}</p><p class="text">${text}</p>${
    may(call, 'release')
      ? html`<form method="post"><input type="hidden" name="do" value="remove-note"><input type="hidden" name="note" value="${id}"><button class="quiet" aria-label="Remove the note by ${by.label}">Remove</button></form>`
      : null
  }</li>`
