// Writes one page of all scenes: `node render.mjs NODE_MODULES SCENES.json PAGE.html`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [, , modules, scenesFile, pageFile] = process.argv;
const require = createRequire(path.join(path.resolve(modules), 'x.js'));
const { createElement } = require('react');
const { renderToStaticMarkup } = require('react-dom/server');
const { Message } = require('slack-blocks-to-jsx');
const css = readFileSync(path.join(modules, 'slack-blocks-to-jsx', 'dist', 'style.css'), 'utf8');

const escape = (text) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);
const users = [['U1', 'alice'], ['U2', 'bob'], ['U3', '陈伟']].map(([id, name]) => ({ id, name }));
// Slack decodes its three entities everywhere; CommonMark does not inside code.
const decode = (code) => code.replace(/&(amp|lt|gt);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>' })[name]);
const asSlack = (block) => block.type === 'markdown'
  ? { ...block, text: block.text.replace(/```[^]*?```|`[^`]*`/g, decode) } : block;
const shown = (blocks) => renderToStaticMarkup(createElement(Message, {
  blocks: blocks.map(asSlack), name: 'Teamlore', logo: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="36" height="36"%3E%3Crect width="36" height="36" rx="6" fill="%231D3557"/%3E%3Ctext x="18" y="25" font-size="20" text-anchor="middle" fill="white"%3ET%3C/text%3E%3C/svg%3E',
  time: new Date('2026-06-15T12:00:00Z'), theme: 'light', data: { users, channels: [], user_groups: [] },
}));
const frame = ({ title, kind, view, blocks }) => `<section class="${kind}" id="${escape(title)}">
<h2>${escape(title)}</h2><div class="card">
${view ? `<div class="bar">${escape(view.title?.text ?? 'Home')}</div>` : ''}${shown(blocks)}
${view?.submit ? `<div class="foot"><span>${escape(view.close.text)}</span><b>${escape(view.submit.text)}</b></div>` : ''}
</div></section>`;
const scenes = JSON.parse(readFileSync(scenesFile, 'utf8'));
writeFileSync(pageFile, `<!doctype html><meta charset="utf-8"><title>Teamlore in Slack</title>
<style>${css}
body{font-family:Lato,"Noto Sans","Noto Sans CJK SC","WenQuanYi Zen Hei",sans-serif;background:#f4f4f6;margin:24px;columns:2 560px}
section{break-inside:avoid;margin-bottom:24px}h2{font-size:13px;color:#616061;margin:0 0 6px}
.card{background:#fff;border:1px solid #ddd;border-radius:8px;padding:12px 16px;max-width:640px}
.modal .card{max-width:520px;padding:0 16px 12px}.bar{font-weight:900;font-size:18px;padding:14px 0;border-bottom:1px solid #eee}
.foot{display:flex;justify-content:flex-end;gap:12px;border-top:1px solid #eee;padding-top:12px;margin-top:12px}
.foot b{background:#007a5a;color:#fff;padding:4px 14px;border-radius:4px}.foot span{padding:4px 14px;border:1px solid #bbb;border-radius:4px}
.modal .card>div:nth-child(2)>div:first-child img,.home .card img{display:none}
</style>${scenes.map(frame).join('\n')}`);
