import { asMembers, type Members, membersOf, textIn, textsIn, urlIn } from './answers.ts'
import type { AuthorityOffer } from './authority.ts'
import { problemOf } from './problem-document.ts'
import { type Answer, isHttps } from './transport.ts'
import { cleanedText } from './untrusted-text.ts'

/** RFC 8555 section 7.1.1. */
export interface Directory {
  newNonce: string
  newAccount: string
  newOrder: string
  /** `null`: the authority does not support RFC 9773. */
  renewalInfo: string | null
  offer: AuthorityOffer
}

const listMax = 32

/** @throws AcmeProblem when the answer is not a directory */
export function readDirectory(answer: Answer, now: number): Directory {
  if (answer.status !== 200) throw problemOf(answer, now)
  const members = membersOf(answer)
  const where = `the directory at ${answer.url}`
  const renewalInfo = textIn(members, 'renewalInfo')
  return {
    newNonce: urlIn(members, 'newNonce', where),
    newAccount: urlIn(members, 'newAccount', where),
    newOrder: urlIn(members, 'newOrder', where),
    renewalInfo: isHttps(renewalInfo) ? renewalInfo : null,
    offer: offerOf(asMembers(members.meta) ?? {}, isHttps(renewalInfo)),
  }
}

function offerOf(meta: Members, tellsRenewal: boolean): AuthorityOffer {
  const terms = textIn(meta, 'termsOfService')
  return {
    caaIdentities: textsIn(meta, 'caaIdentities')
      .slice(0, listMax)
      .map((name) => cleanedText(name).toLowerCase()),
    termsOfService: terms === '' ? null : cleanedText(terms),
    externalBindingRequired: meta.externalAccountRequired === true,
    profiles: Object.keys(asMembers(meta.profiles) ?? {})
      .slice(0, listMax)
      .map(cleanedText),
    tellsRenewal,
  }
}
