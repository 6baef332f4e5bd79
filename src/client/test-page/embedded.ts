/// <reference path="../built.d.ts" />
import script from '../../../gen/client/test-page/main.js' with { type: 'text' }
import style from '../../../gen/client/test-page/page.css' with { type: 'text' }
import websiteStyle from '../../../gen/client/test-page/website.css' with { type: 'text' }
import { testPageDocuments } from './documents.ts'

/** The hosted test page: in the executable, or as last built when run from source. */
export const testPage = testPageDocuments({ script, style, websiteStyle })
