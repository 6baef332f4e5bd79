import { type RotatedPurpose, rotatedPurposes } from '../../../account/signing-key.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { checkDomain } from '../../../operations/domain/check-domain.ts'
import { rotateSecret } from '../../../operations/key/rotate-secret.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { isProved } from '../../session/session.ts'
import { messagePage } from '../message-page.ts'
import type { BoxPage, PageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { noteBoxAct } from '../page-audit.ts'
import { backupsPart } from './backups-part.ts'
import { checksPart } from './checks-part.ts'
import { ownNames } from './own-names.ts'

/** A finding is shown for so long before the box is examined anew. */
const freshMs = 3_600_000
const againAfterSeconds = 3

/** `/box`: what `capture doctor` finds, backups, the box's own names, and the keys that it signs with. */
export const healthPage: BoxPage = {
  of: 'box',
  path: '/box',
  link: { group: 'Box', text: 'Health' },
  for: 'owner',
  async show(_, box) {
    const latest = box.examination.latest()
    if (latest === null || box.clock.now() - latest.at > freshMs) examine(box)
    return content(box)
  },
  async act(call, box) {
    switch (call.fields.get('act')) {
      case 'examine':
        examine(box)
        return seeOther('/box')
      case 'check':
        return checked(call, box)
      case 'rotate':
        return rotated(call, box)
      default:
        return messagePage('nothingHere')
    }
  },
}

/** Nobody waits for it: the page shows what is found once it is. */
function examine({ examination }: ConsoleBox): void {
  examination.run(false).catch(() => {})
}

async function content(box: ConsoleBox): Promise<PageContent> {
  const isUnderWay = box.examination.isUnderWay()
  return {
    title: 'Health',
    body: html`${checksPart(box.examination.latest(), { isUnderWay, now: box.clock.now() })}
${backupsPart(box)}${await ownNames(box)}${signingKeys}`,
    ...(isUnderWay ? { againAfterSeconds } : {}),
  }
}

async function checked(call: PageCall, box: ConsoleBox): Promise<Response> {
  const host = call.fields.get('host') ?? ''
  await checkDomain(box, { host, account: null, isNow: true })
  await noteBoxAct(call, { action: 'domain.check', subject: host, box })
  return seeOther('/box')
}

async function rotated(call: PageCall, box: ConsoleBox): Promise<Response> {
  if (!isProved(call.caller, box.clock.now())) return seeOther('/prove?to=/box')
  const purpose = rotatedPurposes.find((name) => name === call.fields.get('purpose'))
  if (purpose === undefined || !call.fields.has('sure')) return seeOther('/box')
  await rotateSecret(box, purpose)
  await noteBoxAct(call, { action: 'secret.rotate', subject: purpose, box })
  return seeOther('/box')
}

const purposes: Record<RotatedPurpose, readonly [name: string, consequence: string]> = {
  click: ['Click links', 'Links in mails that were sent before work for 400 more days.'],
  cookie: ['Identity cookies', 'Browsers that were recognised before are for 400 more days.'],
  preview: ['Preview addresses', 'Preview addresses that were given away before stop working at once.'],
  share: ['Shared reports', 'Links to reports that were shared before stop working at once.'],
}

const signingKeys: Markup = html`<h2>Keys that the box signs with</h2>
<p class="said">Replace one when somebody may have read it. The keys themselves are never shown.</p>
<ul class="places beside">${rotatedPurposes.map((purpose) => {
  const [name, consequence] = purposes[purpose]
  return html`<li class="place"><h3>${name}</h3><p class="hint">${consequence}</p>
<form method="post"><input type="hidden" name="act" value="rotate"><input type="hidden" name="purpose" value="${purpose}">
<p><label class="inline"><input type="checkbox" name="sure" value="1" required> Replace the key of ${name.toLowerCase()}</label></p>
<p class="acts"><button class="quiet">Replace<span class="unseen">: ${name}</span></button></p></form></li>`
})}</ul>`
