const LIGHT = `--paper:#f6f7f9;--card:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d5dae0;--accent:#0b57d0;--row:#eef1f4;
--ok:#116b35;--ok-back:#dff3e6;--warn:#7a4b00;--warn-back:#fdf0d0;--bad:#a11216;--bad-back:#fce4e4;--unknown:#4a5361;--unknown-back:#e7eaee;`;
const DARK = `--paper:#0f1317;--card:#171c22;--ink:#e6eaef;--soft:#9aa6b2;--line:#2e3640;--accent:#8ab4f8;--row:#1e242b;
--ok:#7ee2a4;--ok-back:#12351f;--warn:#f5cf7a;--warn-back:#3b2c08;--bad:#ffa8a6;--bad-back:#451719;--unknown:#b7c0cb;--unknown-back:#2a313a;`;

/** Style of the whole report with both colour schemes, without any URL. */
export const REPORT_STYLE = `
:root{color-scheme:light;${LIGHT}font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${DARK}}}
:root[data-theme=dark]{color-scheme:dark;${DARK}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);overflow-wrap:anywhere}
header,main,footer{max-width:76rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0}
h2{font-size:1.2rem;margin:2rem 0 .75rem}
h3{font-size:1rem;margin:0 0 .5rem}
h3 small{font-weight:400;color:var(--soft);margin-left:.4rem}
p{margin:.25rem 0}
a{color:var(--accent)}
.top{display:flex;gap:1rem;justify-content:space-between;align-items:flex-start}
.meta,.none,footer,caption,legend{color:var(--soft)}
.meta{font-size:.9rem}
nav{position:sticky;top:0;z-index:2;background:var(--paper);border-bottom:1px solid var(--line)}
nav ul{max-width:76rem;margin:0 auto;padding:.25rem 1rem;list-style:none;display:flex;gap:.25rem;overflow-x:auto}
nav a{display:block;padding:.4rem .6rem;text-decoration:none;border-radius:.4rem;white-space:nowrap;color:var(--ink)}
nav a:hover{background:var(--row)}
section{scroll-margin-top:3.5rem}
button,select,input[type=search]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.4rem .7rem;min-height:2.5rem}
button{cursor:pointer;white-space:nowrap}
button[aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--card)}
:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
.verdict{margin-top:1rem;padding:1rem 1.25rem;border-radius:.6rem;border-left:.4rem solid}
.verdict .word{font-size:1.4rem;font-weight:700;margin:0}
.verdict.healthy{color:var(--ok);background:var(--ok-back)}
.verdict.attention{color:var(--warn);background:var(--warn-back)}
.verdict.trouble{color:var(--bad);background:var(--bad-back)}
.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin-bottom:1rem}
.alert{padding:.6rem .8rem;border-radius:.4rem;color:var(--warn);background:var(--warn-back)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:1rem;margin-bottom:.75rem;align-items:start}
table{border-collapse:collapse;width:100%}
caption{text-align:left;font-weight:600;padding-bottom:.35rem;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .5rem;border-top:1px solid var(--line);font-weight:400}
thead th{border-top:0;font-size:.8rem;color:var(--soft);font-weight:600}
.checks th[scope=row],.stack th[scope=row]{font-weight:600}
.checks{background:var(--card);border:1px solid var(--line);border-radius:.6rem;border-collapse:separate;border-spacing:0;overflow:hidden}
.checks td:first-child{width:8rem}
.checks th[scope=row]{width:34%}
.checks small{display:block;color:var(--soft);font-weight:400}
.facts th{color:var(--soft);width:42%;font-size:.9rem}
.facts td{font-variant-numeric:tabular-nums}
.badge{display:inline-block;border-radius:1rem;padding:.05rem .6rem;font-size:.85rem;font-weight:600;white-space:nowrap}
.badge.ok{color:var(--ok);background:var(--ok-back)}.badge.warn{color:var(--warn);background:var(--warn-back)}
.badge.bad{color:var(--bad);background:var(--bad-back)}.badge.unknown{color:var(--unknown);background:var(--unknown-back)}
details{border-top:1px solid var(--line);padding:.3rem 0}
summary{cursor:pointer;padding:.3rem 0}
pre{margin:.25rem 0;padding:.75rem;background:var(--row);border-radius:.4rem;max-height:24rem;overflow:auto;font-size:.85rem;white-space:pre-wrap}
fieldset{border:0;padding:0;margin:0 0 .75rem;min-width:0}
.bar,.chips{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.chips legend{float:left;padding:0 .5rem 0 0}
.chip{border:1px solid var(--line);border-radius:1rem;padding:.3rem .8rem;background:var(--card);cursor:pointer}
.bar{margin-bottom:.75rem}
.bar label{display:flex;flex-direction:column;font-size:.8rem;color:var(--soft);min-width:0}
.bar label.wide{flex:1 1 14rem}
.bar input,.bar select{color:var(--ink);width:100%}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr));gap:1rem}
.chart{margin:0;min-width:0}.chart h3{margin-bottom:.25rem}
.chart .uplot{width:100%!important}.chart .u-legend{font-size:.8rem;text-align:left;color:var(--soft)}.u-select{background:color-mix(in srgb,var(--accent) 20%,transparent)}
.chart .uplot th,.chart .uplot td{border:0;padding:2px 4px}
.lines{height:26rem;overflow:auto;background:var(--card);border:1px solid var(--line);border-radius:.6rem;font:.8rem/1.5rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.lines .all{position:relative;min-width:100%;width:max-content}
.lines .line{position:absolute;left:0;right:0;height:1.5rem;padding:0 .5rem;white-space:pre;cursor:pointer;overflow:hidden}
.lines .line:hover,.lines .line.chosen{background:var(--row)}
.lines .warn{color:var(--warn)}.lines .error{color:var(--bad)}.lines .debug{color:var(--soft)}
.lines .who{color:var(--accent)}
#line{min-height:4rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
html:not([data-ready]) .needs-script{display:none}
@media (max-width:46rem){
.lines .day{display:none}
.top{flex-direction:column}
.checks,.checks tbody,.checks tr,.checks td,.checks th[scope=row],.stack,.stack tbody,.stack tr,.stack td,.stack th[scope=row]{display:block;width:auto}
.checks thead,.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.checks tr,.stack tr{padding:.6rem 0;border-top:1px solid var(--line)}
.checks tr{padding:.6rem .75rem}
.checks td,.checks th[scope=row],.stack td,.stack th[scope=row]{border:0;padding:.1rem 0}
.checks td:first-child{width:auto}
.stack td,.stack th[scope=row]{display:flex;gap:.75rem;justify-content:space-between}
.stack [data-column]::before{content:attr(data-column);color:var(--soft);font-weight:400;font-size:.85rem;flex:0 0 35%}
.stack [data-column]>span{text-align:right;min-width:0}
}
@media print{nav,.needs-script{display:none}.card{break-inside:avoid}}
`;
