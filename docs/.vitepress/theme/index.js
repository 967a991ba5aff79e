import { h } from "vue";
import DefaultTheme from "vitepress/theme-without-fonts";
import Atlas from "./Atlas.vue";
import Gallery from "./Gallery.vue";
import Game from "./Game.vue";
import "virtual:board.css";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h(Game, { id: "kalah", title: false, class: "hero-game" }) }),
  enhanceApp({ app }) {
    app.component("Atlas", Atlas);
    app.component("Gallery", Gallery);
    app.component("Game", Game);
  },
};
