import { html, type Markup } from '../../../lib/html.ts'

/** A form that takes a folder or a zip; the script lets one be dropped on it. */
export const uploadForm = (
  action: string,
): Markup => html`<form class="drop" method="post" action="${action}" enctype="multipart/form-data" data-drop>
<p class="drop-here" hidden>Drop the site folder, or a zip of it, anywhere here.</p>
<label for="folder">The site folder</label><input id="folder" name="files" type="file" webkitdirectory multiple>
<label for="zip">or a zip of it</label><input id="zip" name="zip" type="file" accept=".zip,application/zip">
<p class="hint">It has a site.toml, and below pages, img and files what is published.</p>
<p class="do"><button>Show what would change</button></p><p class="status" role="status"></p></form>`
