/// How the page looks: by day, by night and on paper.
enum HTMLStyle {
    static let sheet = page + SVGStyle.sheet

    private static let page = """
        :root{color-scheme:light dark;--back:#fff;--text:#17191c;--soft:#50565e;--rule:#dcdfe2;--row:#f4f5f6;\
        --focus:#0b57d0}
        @media screen and (prefers-color-scheme:dark){:root{--back:#16181c;--text:#eceef0;--soft:#a9b0b9;\
        --rule:#2c3138;--row:#1d2025;--focus:#8ab8ff}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:1280px;padding:24px 16px 64px;background:var(--back);color:var(--text);\
        font:15px/1.5 "Helvetica Neue",Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif;\
        overflow-wrap:break-word}
        h1{font-size:26px;line-height:1.2;margin:0 0 4px}
        h2{font-size:20px;margin:40px 0 8px}
        header p,.hint,caption small{color:var(--soft)}
        header p,.hint{margin:0 0 4px}
        figure{margin:20px 0;overflow-x:auto}
        figure svg{display:block;width:100%;min-width:660px;height:auto}
        .defs{position:absolute}
        .unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);\
        white-space:nowrap}
        .e{cursor:default}
        .e:hover{filter:drop-shadow(0 0 1.5px var(--focus))}
        .e:focus{outline:none}
        .e:focus-visible{outline:2.5px solid var(--focus);outline-offset:2px;border-radius:2px}
        a:focus-visible{outline:2.5px solid var(--focus);outline-offset:2px}
        a{color:var(--focus)}
        #detail{position:fixed;z-index:1;left:0;top:0;max-width:min(440px,calc(100vw - 16px));padding:8px 12px;\
        background:var(--text);color:var(--back);border-radius:6px;font-size:13.5px;line-height:1.45;\
        transition:opacity .12s}
        #detail[hidden]{display:block;visibility:hidden;opacity:0}
        #detail b{display:block}
        #detail span{display:block}
        .frame{overflow-x:auto}
        .frame:focus-visible{outline:2.5px solid var(--focus)}
        table{border-collapse:collapse;width:100%;margin:0 0 28px;font-size:13.5px}
        caption{text-align:left;font-weight:bold;font-size:15px;padding:8px 0}
        caption small{font-weight:normal}
        th,td{text-align:left;vertical-align:top;padding:4px 10px 4px 0;border-bottom:1px solid var(--rule);\
        unicode-bidi:isolate}
        .long,caption,h1,header p,tbody th[colspan]{overflow-wrap:anywhere}
        th.n,td.n{text-align:right;padding-right:22px;font-variant-numeric:tabular-nums}
        thead th{border-bottom:2px solid var(--soft);overflow-wrap:normal}
        tbody th[colspan]{background:var(--row);padding-left:6px}
        @media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
        @media print{
        @page{size:A4 landscape;margin:10mm}
        body{max-width:none;padding:0;print-color-adjust:exact;-webkit-print-color-adjust:exact;font-size:10pt}
        figure{break-inside:avoid;overflow:visible;margin:0 0 6mm}
        figure svg{min-width:0}
        .frame{overflow:visible}
        h2{break-after:avoid}
        .data{break-before:page}
        thead{display:table-header-group}
        tr{break-inside:avoid}
        table{font-size:8.5pt}
        #detail,.live{display:none!important}
        }

        """
}
